package io.cloudkon.functional;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Where processes of this machine listen for TCP over IPv4, as Linux has it in /proc. */
final class ListeningPorts {
  private static final Path TABLE = Path.of("/proc/net/tcp");

  private static final String LISTENS = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ListeningPorts() {}

  /** Of all these together. */
  static Set<Integer> of(Collection<Long> processes) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (long process : processes) {
      sockets.addAll(sockets(process));
    }
    Set<Integer> ports = new HashSet<>();
    for (String line : Files.readAllLines(TABLE)) {
      String[] fields = line.strip().split("\\s+");
      if (fields[STATE].equals(LISTENS) && sockets.contains("socket:[" + fields[INODE] + "]")) {
        ports.add(Integer.parseInt(fields[ADDRESS].split(":")[1], 16));
      }
    }
    return ports;
  }

  private static Set<String> sockets(long pid) {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        sockets.add(Files.readSymbolicLink(file).toString());
      }
    } catch (IOException | UncheckedIOException e) {
      // it has ended, or has closed that file meanwhile
    }
    return sockets;
  }
}
