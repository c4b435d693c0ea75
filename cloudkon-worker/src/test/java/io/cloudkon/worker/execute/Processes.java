package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the operating system says of processes. */
public final class Processes {
  private static final Path PROC = Path.of("/proc");

  private Processes() {}

  /** Whether it executes anything: a zombie whose parent is frozen does not. */
  public static boolean runs(long pid) {
    String state = Files.isDirectory(PROC.resolve("self")) ? procState(pid) : psState(pid);
    return !state.isEmpty() && "ZX".indexOf(state.charAt(0)) < 0;
  }

  public static void signal(String signal, long pid) {
    output("/bin/kill", "-" + signal, Long.toString(pid));
  }

  /** The numbers that commands have written into a file, whole lines only. */
  public static List<Long> pids(Path file) {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Long::parseLong).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String procState(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(pid + "/stat"), UTF_8);
      return stat.substring(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      // "no such process": it went away between open and read
      return "";
    }
  }

  private static String psState(long pid) {
    return output("ps", "-o", "stat=", "-p", Long.toString(pid)).strip();
  }

  private static String output(String... argv) {
    try {
      Process process = new ProcessBuilder(argv).start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      process.waitFor();
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
