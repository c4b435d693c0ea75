package io.cloudkon.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The addresses on which a process listens, as Linux tells them in {@code proc(5)}. */
final class ListeningSockets {
  private static final String LISTENING = "0A";

  private ListeningSockets() {}

  static List<InetSocketAddress> of(ProcessHandle process) throws IOException {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    Set<String> own = sockets(proc.resolve("fd"));
    List<InetSocketAddress> found = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      List<String> lines = Files.readAllLines(proc.resolve("net").resolve(table));
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.strip().split(" +");
        if (fields[3].equals(LISTENING) && own.contains("socket:[" + fields[9] + "]")) {
          String[] local = fields[1].split(":");
          found.add(new InetSocketAddress(address(local[0]), Integer.parseInt(local[1], 16)));
        }
      }
    }
    return found;
  }

  private static Set<String> sockets(Path descriptors) throws IOException {
    Set<String> targets = new HashSet<>();
    try (Stream<Path> links = Files.list(descriptors)) {
      for (Path link : links.toList()) {
        targets.add(Files.readSymbolicLink(link).toString());
      }
    }
    return targets;
  }

  /** Words of four bytes, each written backwards. */
  private static InetAddress address(String hex) throws IOException {
    byte[] words = HexFormat.of().parseHex(hex);
    byte[] bytes = new byte[words.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = words[i / 4 * 4 + 3 - i % 4];
    }
    return InetAddress.getByAddress(bytes);
  }
}
