package io.cloudkon.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sockets on which processes listen, known by the kernel's number of each: a port that another
 * process has by now is not taken for theirs. Linux only: it is read where the kernel shows it.
 */
final class Ports {
  private static final Path PROC = Path.of("/proc");
  private static final String SOCKET = "socket:[";

  /** Where each shows state and number. */
  private static final int STATE = 3;

  private static final int NUMBER = 9;
  private static final String LISTENS = "0A";

  private final Map<String, String> noted = new HashMap<>();

  /** Those of this process; none if it is dead already. */
  void note(long pid) {
    Set<String> numbers = sockets(pid);
    listening()
        .forEach((number, address) -> {
          if (numbers.contains(number)) {
            noted.put(number, address + " of process " + pid);
          }
        });
  }

  /** All that were noted. */
  Set<String> noted() {
    return Set.copyOf(noted.values());
  }

  /** Those that are still open, whoever has them. */
  Set<String> open() {
    Set<String> open = new HashSet<>();
    for (String number : listening().keySet()) {
      String whose = noted.get(number);
      if (whose != null) {
        open.add(whose);
      }
    }
    return open;
  }

  private static Set<String> sockets(long pid) {
    Set<String> numbers = new HashSet<>();
    try (Stream<Path> files = Files.list(PROC.resolve(pid + "/fd"))) {
      files.forEach(file -> {
        String target = target(file);
        if (target.startsWith(SOCKET)) {
          numbers.add(target.substring(SOCKET.length(), target.length() - 1));
        }
      });
    } catch (IOException e) {
      return Set.of(); // it has ended
    }
    return numbers;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  /** Address, in the kernel's notation, of each listening socket by number. */
  private static Map<String, String> listening() {
    Map<String, String> found = new TreeMap<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      try (Stream<String> lines = Files.lines(PROC.resolve(table))) {
        lines
            .map(line -> line.strip().split("\\s+"))
            .filter(words -> words.length > NUMBER && words[STATE].equals(LISTENS))
            .forEach(words -> found.put(words[NUMBER], words[1]));
      } catch (IOException e) {
        // a system without IPv6
      }
    }
    return found;
  }
}
