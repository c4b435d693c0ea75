package io.cloudkon.client.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Measures how fast workloads are checked and read: {@code WorkloadSpeed [LINES]}, 10 million by
 * default, each format five times, the last round being the warm one. It counts the thread's own
 * processor time, so that neighbours on the machine do not spoil it. Not a test: it asserts nothing
 * about time.
 */
public final class WorkloadSpeed {
  private static final int ROUNDS = 5;
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

  private WorkloadSpeed() {}

  /** Prints lines per second of processor time. */
  public static void main(String[] args) throws IOException {
    long lines = args.length > 0 ? Long.parseLong(args[0]) : 10_000_000;
    measure("noop", lines, ".txt", i -> "noop");
    measure("sleep N", lines, ".txt", i -> "sleep " + i % 10_000);
    measure("java sha256 x", lines, ".txt", i -> "java sha256 " + i);
    measure("jsonl noop, no ids", lines, ".jsonl", i -> "{\"noop\": true}");
    measure(
        "jsonl noop, ids", lines, ".jsonl", i -> "{\"id\": \"task-" + i + "\", \"noop\": true}");
    measure("jsonl sleep, ids", lines, ".jsonl", i -> "{\"id\": " + i + ", \"sleep\": 16}");
    measure(
        "jsonl java, ids",
        lines,
        ".jsonl",
        i -> "{\"id\":\"t" + i + "\",\"java\":\"sha256\",\"args\":[\"" + i + "\"]}");
  }

  private static void measure(String what, long lines, String ending, LongFunction<String> line)
      throws IOException {
    Path file = Files.createTempFile("workload-speed-", ending);
    try {
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        for (long i = 0; i < lines; i++) {
          out.write(line.apply(i));
          out.write('\n');
        }
      }
      for (int round = 1; round <= ROUNDS; round++) {
        round(what, lines, file);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static void round(String what, long lines, Path file) {
    long begun = THREAD.getCurrentThreadCpuTime();
    try (Workload workload =
        Workload.open(file.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      long checked = THREAD.getCurrentThreadCpuTime();
      try (TaskReader reader = workload.read()) {
        while (reader.next() != null) {
          // Only read.
        }
      }
      long read = THREAD.getCurrentThreadCpuTime();
      System.out.printf(
          Locale.ROOT,
          "%-20s check %,12.0f lines/s   read %,12.0f lines/s%n",
          what,
          lines * 1e9 / (checked - begun),
          lines * 1e9 / (read - checked));
    }
  }
}
