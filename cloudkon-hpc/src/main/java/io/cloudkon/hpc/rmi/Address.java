package io.cloudkon.hpc.rmi;

import java.io.Serializable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a worker's endpoint. Its text form is {@code host:port}, with an IPv6 host in
 * brackets.
 *
 * @param host a name or a literal address, without brackets
 * @param port 1 to 65535
 * @param fingerprint the fingerprint of its certificate, in 43 characters of base64; empty if calls
 *     to it are not encrypted. It is not part of the text form
 */
public record Address(String host, int port, String fingerprint) implements Serializable {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}");
  private static final Pattern FINGERPRINT = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final Pattern IPV6 =
      Pattern.compile("[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,32})?");

  /** Checks all components. */
  public Address {
    Check.that(
        host != null && (isIpv6(host) ? IPV6 : NAME).matcher(host).matches(),
        "host: a name or an address");
    Check.that(port >= 1 && port <= 65535, "port: 1 to 65535");
    Check.that(
        fingerprint != null
            && (fingerprint.isEmpty() || FINGERPRINT.matcher(fingerprint).matches()),
        "fingerprint: none, or 43 characters of base64");
  }

  /** An address without a fingerprint. */
  public Address(String host, int port) {
    this(host, port, "");
  }

  /** The same address with that fingerprint. */
  public Address of(String fingerprint) {
    return new Address(host, port, fingerprint);
  }

  /**
   * Parses the text form that {@link #toString} returns.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static Address parse(String text) {
    int colon = text.lastIndexOf(':');
    Check.that(colon > 0, "HOST:PORT, not '" + text + '\'');
    String host = text.substring(0, colon);
    String port = text.substring(colon + 1);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    Check.that(
        bracketed == isIpv6(bare) && port.matches("[0-9]{1,5}"),
        "HOST:PORT, an IPv6 host in brackets, not '" + text + '\'');
    return new Address(bare, Integer.parseInt(port));
  }

  private static boolean isIpv6(@Nullable String host) {
    return host != null && host.indexOf(':') >= 0;
  }

  @Override
  public String toString() {
    return (isIpv6(host) ? '[' + host + ']' : host) + ':' + port;
  }
}
