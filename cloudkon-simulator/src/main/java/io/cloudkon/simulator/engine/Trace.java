package io.cloudkon.simulator.engine;

import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log of events for people, line by line. Formats nothing if nobody reads it. */
public final class Trace {
  private final Timeline timeline;
  private final @Nullable Consumer<String> lines;

  /**
   * A trace.
   *
   * @param lines receives each line; null for no trace
   */
  public Trace(Timeline timeline, @Nullable Consumer<String> lines) {
    this.timeline = timeline;
    this.lines = lines;
  }

  /** Whether anybody reads the trace. */
  public boolean on() {
    return lines != null;
  }

  /** Logs an event; see {@link String#format}. */
  @SuppressWarnings("AnnotateFormatMethod") // That annotation would be a dependency of its own.
  public void say(String who, String format, @Nullable Object... details) {
    if (lines != null) {
      String text = details.length == 0 ? format : String.format(Locale.ROOT, format, details);
      lines.accept(
          String.format(Locale.ROOT, "%14.3f ms  %-8s %s", timeline.now() / 1000.0, who, text));
    }
  }
}
