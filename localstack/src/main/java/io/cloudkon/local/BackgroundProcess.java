package io.cloudkon.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The process of a background emulator.
 *
 * @param pid its number
 * @param host the name of its machine or container, for messages
 * @param place where the number means this process: the machine's boot and the namespace of process
 *     numbers, or a constant on a system without {@code /proc}
 */
record BackgroundProcess(long pid, String host, String place) {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /** The place on a system without {@code /proc}, such as macOS, which has no namespaces either. */
  private static final String ONLY_PLACE = "here";

  /** A process of this number, here. */
  static BackgroundProcess here(long pid) {
    String host = hostName().replace(' ', '-');
    return new BackgroundProcess(pid, host, placeOf(BOOT_ID, NAMESPACE));
  }

  private static String hostName() {
    try {
      return Files.exists(HOST_NAME)
          ? Files.readString(HOST_NAME).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // the host has a name that its resolver does not know
    } catch (IOException e) {
      throw new LocalException("The host's name cannot be read: " + e, e);
    }
  }

  /** The place that these files name; the host's name is not in it, as it changes with networks. */
  static String placeOf(Path boot, Path namespace) {
    try {
      return Files.readString(boot).strip() + ':' + Files.readSymbolicLink(namespace);
    } catch (IOException e) {
      return ONLY_PLACE;
    }
  }

  /** Parses the output of {@link #format()}; empty if it is incomplete. */
  static Optional<BackgroundProcess> parse(String text) {
    String[] words = text.split("[ \n]", 4);
    return words.length == 4 && words[0].matches("[0-9]{1,18}")
        ? Optional.of(new BackgroundProcess(Long.parseLong(words[0]), words[1], words[2]))
        : Optional.empty();
  }

  String format() {
    return "%d %s %s\n".formatted(pid, host, place);
  }

  /** Whether its number means the same process here. */
  boolean isHere() {
    return place.equals(here(pid).place);
  }
}
