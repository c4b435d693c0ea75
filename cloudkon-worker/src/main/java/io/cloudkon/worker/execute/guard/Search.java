package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks for what a command has left behind, where Linux shows processes: one that carries the
 * command's mark in its environment, or works in its folder. Their own user is shown that, and
 * root. Where nobody can say, somebody is taken to be there.
 *
 * @param mark of the command
 * @param folder where it worked
 */
record Search(String mark, Path folder) {
  private static final Path PROC = Path.of("/proc");

  /**
   * As long as so few numbers were given since, and in so short a time, only they are looked at.
   */
  private static final long FEW = 500;

  private static final long SHORT = TimeUnit.SECONDS.toNanos(10);

  /** Of {@code flags} in {@code /proc/N/stat}: it belongs to the kernel. */
  private static final long OF_THE_KERNEL = 0x0020_0000;

  /** A process that shows no environment for longer has none. */
  private static final long LONGEST_CHANGE = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long AGAIN_AFTER = TimeUnit.MICROSECONDS.toNanos(50);

  private static final int STATE = 0;
  private static final int FLAGS = 6;

  private static final boolean TRUSTED = isTrusted();

  /** Whether the numbers of processes are this process's own, and the last one is a true one. */
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
   * Whether there is somebody.
   *
   * @param first the command's number; it has ended
   * @param nanos how long ago it was started
   * @param thorough whether all processes may be looked at
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

  /** Whoever was started while one looked, too. */
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

  /** The number that was given to a process or thread last. */
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
      return false; // it has ended, or is another user's
    }
  }

  /**
   * A process that becomes another program shows none meanwhile, for some 40 us, or a single NUL:
   * other slots' commands do. Read again until it has become that, as nobody tells.
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
