package io.cloudkon.bench.results;

import java.util.List;

/**
 * A measured figure as stored in its file; the component names are the keys. Immutable.
 *
 * @param figure its name on the command line
 * @param title its content, in one line
 * @param command the command that reproduces it
 * @param emulatedLatencyMillis the median of the delay that the emulator adds to each answer; 0 for
 *     none
 * @param taken the date of the measurement
 * @param machine the machine that ran all of it
 * @param panels its plots
 * @param notes facts that a reader of the numbers must know, one sentence each
 */
public record FigureRecord(
    String figure,
    String title,
    String command,
    double emulatedLatencyMillis,
    String taken,
    String machine,
    List<FigurePanel> panels,
    List<String> notes) {
  public FigureRecord {
    panels = List.copyOf(panels);
    notes = List.copyOf(notes);
  }

  /** The name of its files, without extension. */
  String file() {
    return emulatedLatencyMillis == 0
        ? figure
        : "%s-%sms".formatted(figure, plain(emulatedLatencyMillis));
  }

  private static String plain(double millis) {
    return millis == Math.rint(millis) ? Long.toString((long) millis) : Double.toString(millis);
  }
}
