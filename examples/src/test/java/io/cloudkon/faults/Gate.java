package io.cloudkon.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Commands that tell their process ids, and run until the gate is open. */
final class Gate {
  private final Path pids;
  private final Path open;

  Gate(Path folder) {
    pids = folder.resolve("pids.txt");
    open = folder.resolve("open");
  }

  /** A line of a workload. */
  String task() {
    return "exec echo $$ >> %s; while [ ! -e %s ]; do sleep 0.1; done".formatted(pids, open);
  }

  /** The processes that were started, in order. */
  List<Long> started() {
    try {
      return Files.exists(pids)
          ? Files.readAllLines(pids).stream().map(Long::valueOf).toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether such a process still runs; one that is dead and not yet buried does not. */
  static boolean runs(long pid) throws IOException {
    Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid)).start();
    try (BufferedReader answer = ps.inputReader()) {
      String state = answer.readLine();
      return state != null && !state.startsWith("Z");
    }
  }

  void open() throws IOException {
    Files.createFile(open);
  }
}
