package io.cloudkon.provisioner.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** Where a cluster's launches on this machine are kept. */
final class StateFolder {
  private static final int HASH_CHARS = 8;

  private StateFolder() {}

  /** The folder of all clusters: {@code cloudkon} in {@code $XDG_STATE_HOME} or ~/.local/state. */
  static Path base(Map<String, String> environment) {
    String named = environment.getOrDefault("XDG_STATE_HOME", "");
    Path base =
        named.startsWith("/")
            ? Path.of(named)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    return base.resolve("cloudkon");
  }

  /**
   * The folder of one cluster in it: a provisioner would end another cluster's workers as strays.
   *
   * @param address tells it from other clusters of its name
   */
  static Path of(Path base, String queue, String address) {
    String hash = UUID.nameUUIDFromBytes(address.getBytes(UTF_8)).toString();
    return base.resolve(queue + "-" + hash.substring(0, HASH_CHARS));
  }
}
