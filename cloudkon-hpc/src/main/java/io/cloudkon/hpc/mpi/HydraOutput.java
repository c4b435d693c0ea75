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
 * Parts mpiexec's standard output into the lines that it wants run and what the program printed.
 * mpiexec may print its block of lines twice, the second time amid the program's output; a program
 * that prints the same words otherwise keeps them. Not thread safe.
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

  /** Who is to run the lines. */
  public interface Listener {

    /** The lines are all there, by rank. */
    void launch(List<String> lines);

    /** They are not as they should be, and there will be none. */
    void unusable(String why);
  }

  /**
   * Output of which nothing has come.
   *
   * @param ranks how many lines there must be
   * @param listener told once, by the thread that calls {@link #take}
   */
  public HydraOutput(int ranks, Listener listener) {
    this.lines = new LaunchLines(ranks);
    this.listener = listener;
  }

  /**
   * Takes what came next.
   *
   * @return what of it, and of what was held back before, is the program's
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
    // what cannot be mpiexec's any more need not wait for the end of its line
    if (whole && line.size() > 0 && !mayBeOurs()) {
      pass(passed);
      whole = false;
    } else if (!whole) {
      pass(passed);
    }
    return passed.toByteArray();
  }

  /** What is left at the end of the output. */
  public byte[] finish() {
    byte[] rest = line.toByteArray();
    line.reset();
    return rest;
  }

  /** How mpiexec says a rank died, as in {@code Segmentation fault (signal 11)}. */
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
