package io.cloudkon.hpc.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.error.CloudKonException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Separates mpiexec's standard output into launch lines and the program's output. mpiexec may print
 * its block of lines twice, the second time within the program's output, where it is removed; all
 * other output is kept, even if it contains the same words. Not thread safe.
 */
public final class HydraOutput {
  private static final String ENDED = "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: ";

  /** Longer than any line of mpiexec's own. */
  private static final int LONGEST = 8192;

  private final LaunchLines lines;
  private final Listener listener;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final Set<String> repeats = new HashSet<>();
  private boolean launched;
  private boolean whole = true;
  private String how = "";

  /** Receives the launch lines. */
  public interface Listener {

    /** Receives all lines, by rank. */
    void launch(List<String> lines);

    /** Called if the lines are invalid; {@link #launch} is then not called. */
    void unusable(String why);
  }

  /**
   * An output of which nothing was read yet.
   *
   * @param ranks the expected number of lines
   * @param listener called once, on the thread that calls {@link #take}
   */
  public HydraOutput(int ranks, Listener listener) {
    this.lines = new LaunchLines(ranks);
    this.listener = listener;
  }

  /**
   * Processes the next bytes of the output.
   *
   * @return the part of these bytes, and of bytes that were held back before, that the program
   *     printed
   */
  public byte[] take(byte[] bytes, int length) {
    ByteArrayOutputStream passed = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      line.write(bytes[i]);
      if (bytes[i] == '\n') {
        end(passed);
      } else if (line.size() >= LONGEST) {
        pass(passed);
        whole = false;
      }
    }
    // text that cannot be mpiexec's any more need not wait for the end of its line
    if (whole && line.size() > 0 && !mayBeOurs()) {
      pass(passed);
      whole = false;
    } else if (!whole) {
      pass(passed);
    }
    return passed.toByteArray();
  }

  /**
   * Ends the output.
   *
   * @return the program's bytes that were still held back
   */
  public byte[] finish() {
    byte[] rest = line.toByteArray();
    line.reset();
    return rest;
  }

  /**
   * The reason that mpiexec printed for the death of a rank, such as {@code Segmentation fault
   * (signal 11)}.
   */
  public Optional<String> death() {
    return how.isEmpty() ? Optional.empty() : Optional.of(how);
  }

  private void end(ByteArrayOutputStream passed) {
    String text = whole ? line.toString(UTF_8).stripTrailing() : "";
    if (text.startsWith(ENDED)) {
      how = text.substring(ENDED.length());
    }
    if (!launched && text.startsWith(LaunchLines.LINE)) {
      lines.add(text.substring(LaunchLines.LINE.length()).strip());
      repeats.add(text);
      line.reset();
    } else if (!launched && text.equals(LaunchLines.END)) {
      launched = true;
      repeats.add(text);
      line.reset();
      launch();
    } else if (repeats.remove(text)) {
      line.reset();
    } else {
      pass(passed);
    }
    whole = true;
  }

  private void launch() {
    List<String> all;
    try {
      all = lines.all();
    } catch (CloudKonException e) {
      listener.unusable(String.valueOf(e.getMessage()));
      return;
    }
    listener.launch(all);
  }

  private boolean mayBeOurs() {
    String text = line.toString(UTF_8);
    List<String> ours = new ArrayList<>(repeats);
    ours.add(ENDED);
    if (!launched) {
      ours.add(LaunchLines.LINE);
      ours.add(LaunchLines.END);
    }
    return ours.stream()
        .anyMatch(own -> own.startsWith(text.stripTrailing()) || text.startsWith(own));
  }

  private void pass(ByteArrayOutputStream passed) {
    passed.writeBytes(line.toByteArray());
    line.reset();
  }
}
