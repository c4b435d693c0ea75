package io.cloudkon.local;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Restricts the emulator to holders of the credentials that it printed. Loopback alone keeps out
 * neither other users of the machine nor web pages in its browsers, and a queued task runs with the
 * rights of the worker's user.
 *
 * <p>A request must name the access key. A request from a web page is always refused. So is one for
 * a host name other than {@code localhost}, because a page's own host name can resolve to this
 * address (DNS rebinding).
 */
final class Access {
  private static final Pattern CREDENTIAL = Pattern.compile("Credential=([^/,&\\s%]+)(?:/|%2F)");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]|localhost");

  private final byte[] keyId;

  Access(AccessKey key) {
    this.keyId = key.id().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The reason for refusing a request, as a sentence; empty if it is accepted.
   *
   * @param header returns the value of a header by its name; null if there is none
   * @param query the query after the path; null if there is none
   */
  Optional<String> refusal(Function<String, @Nullable String> header, @Nullable String query) {
    String host = header.apply("Host");
    if (host == null || !isAddress(host)) {
      return Optional.of(
          "The emulator answers to localhost and to addresses, not to the host '%s'."
              .formatted(host));
    }
    if (header.apply("Origin") != null) {
      return Optional.of("The emulator does not answer web pages.");
    }
    if (!names(header.apply("Authorization")) && !names(query)) {
      return Optional.of(
          "The emulator asks for the credentials that it printed; take all of its lines, as"
              + " cloudkon local status prints them.");
    }
    return Optional.empty();
  }

  private static boolean isAddress(String host) {
    String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    return ADDRESS.matcher(name).matches();
  }

  private boolean names(@Nullable String where) {
    if (where == null) {
      return false;
    }
    Matcher credential = CREDENTIAL.matcher(where);
    return credential.find()
        && MessageDigest.isEqual(keyId, credential.group(1).getBytes(StandardCharsets.UTF_8));
  }
}
