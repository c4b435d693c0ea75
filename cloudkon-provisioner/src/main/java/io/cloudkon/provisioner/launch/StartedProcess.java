package io.cloudkon.provisioner.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The identity of an instance's process, as stored in its file: its number, and the attributes that
 * distinguish it from a later process with the same number. Immutable.
 *
 * @param pid its number, which is also that of its process group
 * @param boot the id of the machine's boot in which it runs; empty if there is no {@code /proc}
 * @param start its start time in the machine's ticks; empty if there is no {@code /proc}
 * @param written the time at which the file was written
 */
record StartedProcess(long pid, String boot, String start, Instant written) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /**
   * The positions of state and start among the words of {@code /proc/PID/stat} after the command's
   * name.
   */
  private static final int STATE = 0;

  private static final int START = 19;
  private static final String ZOMBIE = "Z";

  /** The number of lines in a file. */
  static final int LINES = 3;

  /**
   * A process starts a moment before it writes its file, and the clocks have a resolution of
   * seconds.
   */
  private static final long SLACK_SECONDS = 2;

  static StartedProcess parse(List<String> lines, Instant written) {
    return new StartedProcess(
        Long.parseLong(lines.get(0)), lines.get(1), word(lines.get(2), START), written);
  }

  /** Whether exactly this process is still alive. */
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
      // It ended while its file was read, or too many files are open and its state is unknown.
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
  }

  /**
   * Judges by the start time: a process with this number that started after the file was written is
   * another one.
   */
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
