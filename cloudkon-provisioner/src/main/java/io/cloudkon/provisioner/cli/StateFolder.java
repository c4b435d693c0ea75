package io.cloudkon.provisioner.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** Where a cluster's launches on this machine are kept. */
final class StateFolder {
  private static final int HASH_CHARS = 8;

  private StateFolder() {}

  /**
   * The folder of a cluster, below {@code $XDG_STATE_HOME} or {@code ~/.local/state}.
   *
   * @param address tells it from other clusters of its name
   */
  static Path of(String queue, String address, Map<String, String> environment) {
    String named = environment.getOrDefault("XDG_STATE_HOME", "");
    Path base =
        named.startsWith("/")
            ? Path.of(named)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    String hash = UUID.nameUUIDFromBytes(address.getBytes(UTF_8)).toString();
    return base.resolve("cloudkon").resolve(queue + "-" + hash.substring(0, HASH_CHARS));
  }
}
