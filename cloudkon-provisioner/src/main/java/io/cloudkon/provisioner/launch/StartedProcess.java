package io.cloudkon.provisioner.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A process as its instance's file names it: by its number, and by what tells it from a later
 * process of that number. Immutable.
 *
 * @param pid its number; also that of its process group
 * @param boot which start of the machine it belongs to; empty where there is no {@code /proc}
 * @param start when it started, in the machine's ticks; empty where there is no {@code /proc}
 * @param written when the file was written
 */
record StartedProcess(long pid, String boot, String start, Instant written) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** Where the words of {@code /proc/PID/stat} behind the command's name have state and start. */
  private static final int STATE = 0;

  private static final int START = 19;
  private static final String ZOMBIE = "Z";

  /** As many does a file have. */
  static final int LINES = 3;

  /** A process is started a moment before it writes its file; clocks are read in seconds. */
  private static final long SLACK_SECONDS = 2;

  static StartedProcess parse(List<String> lines, Instant written) {
    return new StartedProcess(
        Long.parseLong(lines.get(0)), lines.get(1), word(lines.get(2), START), written);
  }

  /** Whether this very process still lives. */
  boolean lives() {
    return start.isEmpty() ? livesByInstant() : livesByTicks();
  }

  private boolean livesByTicks() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return boot.equals(Files.readString(BOOT_ID).strip())
          && start.equals(word(stat, START))
          && !word(stat, STATE).equals(ZOMBIE);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // It ended while its file was read; or too many files are open, and nobody knows.
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
  }

  /** A process that has its number and began after the file was written is another one. */
  private boolean livesByInstant() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .flatMap(process -> process.info().startInstant())
        .map(started -> !started.isAfter(written.plusSeconds(SLACK_SECONDS)))
        .orElse(false);
  }

  private static String word(String stat, int index) {
    String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return index < words.length ? words[index] : "";
  }
}
