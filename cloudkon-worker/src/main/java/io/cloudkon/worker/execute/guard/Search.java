package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Searches {@code /proc} for processes that a command has left behind: those that carry the
 * command's mark in their environment, or work in its folder. Only their own user and root can see
 * that. If the system does not tell, a process is assumed to exist.
 *
 * @param mark the command's mark
 * @param folder the folder in which it worked
 */
record Search(String mark, Path folder) {
  private static final Path PROC = Path.of("/proc");

  /**
   * If at most this many numbers were given out since, within {@code SHORT}, only they are checked.
   */
  private static final long FEW = 500;

  private static final long SHORT = TimeUnit.SECONDS.toNanos(10);

  /** The bit of {@code flags} in {@code /proc/N/stat} that marks a thread of the kernel. */
  private static final long OF_THE_KERNEL = 0x0020_0000;

  /** A process that shows no environment for longer has none. */
  private static final long LONGEST_CHANGE = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long AGAIN_AFTER = TimeUnit.MICROSECONDS.toNanos(50);

  private static final int STATE = 0;
  private static final int FLAGS = 6;

  private static final boolean TRUSTED = isTrusted();

  /**
   * Whether {@code /proc} shows the process numbers of this process's own namespace, and the true
   * last one.
   */
  private static boolean isTrusted() {
    try {
      long self = Long.parseLong(Files.readSymbolicLink(PROC.resolve("self")).toString());
      return self == ProcessHandle.current().pid()
          && Files.getFileStore(PROC.resolve("loadavg")).type().equals("proc");
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /**
   * Whether a process was left behind.
   *
   * @param first the process number of the command, which has ended
   * @param nanos the nanoseconds since it was started
   * @param thorough whether all processes may be checked
   */
  boolean finds(long first, long nanos, boolean thorough) {
    if (!TRUSTED) {
      return true;
    }
    try {
      long from = first;
      if (nanos >= SHORT || lastNumber() < first || lastNumber() - first > FEW) {
        if (!thorough) {
          return true;
        }
        from = lastNumber();
        if (findsAmongAll()) {
          return true;
        }
      }
      return findsAfter(from);
    } catch (IOException e) {
      return true;
    }
  }

  /** Checks processes from this number on, including those that start meanwhile. */
  private boolean findsAfter(long from) throws IOException {
    long seen = from;
    for (long last = lastNumber(); last != seen; last = lastNumber()) {
      if (last < seen || last - from > 2 * FEW) {
        return true;
      }
      for (long number = seen + 1; number <= last; number++) {
        if (isOne(PROC.resolve(Long.toString(number)))) {
          return true;
        }
      }
      seen = last;
    }
    return false;
  }

  /** The number that was last given to a process or thread. */
  private static long lastNumber() throws IOException {
    String load = read(PROC.resolve("loadavg")).strip();
    return Long.parseLong(load.substring(load.lastIndexOf(' ') + 1));
  }

  private boolean findsAmongAll() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : all) {
        if (isOne(process)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOne(Path process) {
    try {
      String environment = environment(process);
      return isNone(environment)
          ? !isEndedOrOfTheKernel(process)
          : environment.contains(mark)
              || Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder);
    } catch (IOException e) {
      return false; // it has ended, or belongs to another user
    }
  }

  /**
   * The environment of a process. A process that becomes another program shows none, or a single
   * NUL, for some 40 us; commands of other slots do so. There is no notification, so the
   * environment is read again until the process has become the program.
   */
  private static String environment(Path process) throws IOException {
    long began = System.nanoTime();
    while (true) {
      String environment = read(process.resolve("environ"));
      if (!isNone(environment)
          || isEndedOrOfTheKernel(process)
          || System.nanoTime() - began >= LONGEST_CHANGE) {
        return environment;
      }
      LockSupport.parkNanos(AGAIN_AFTER);
    }
  }

  private static boolean isNone(String environment) {
    return environment.indexOf('=') < 0;
  }

  private static boolean isEndedOrOfTheKernel(Path process) throws IOException {
    String line = read(process.resolve("stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    boolean ended = fields[STATE].equals("Z") || fields[STATE].equals("X");
    return ended || (Long.parseLong(fields[FLAGS]) & OF_THE_KERNEL) != 0;
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), ISO_8859_1);
  }
}
