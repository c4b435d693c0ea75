package io.cloudkon.bench.results;

import java.util.List;

/**
 * A measured figure as its file has it: component names are its keys. Immutable.
 *
 * @param figure its name on the command line
 * @param title what it shows, in one line
 * @param command what gives it again
 * @param emulatedLatencyMillis the median of the delay that the emulator adds to each answer; 0 for
 *     none
 * @param taken the day
 * @param machine on which all of it ran
 * @param panels its plots
 * @param notes what a reader of the numbers must know, one sentence each
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

  /** Its files' name, without an ending. */
  String file() {
    return emulatedLatencyMillis == 0
        ? figure
        : "%s-%sms".formatted(figure, plain(emulatedLatencyMillis));
  }

  private static String plain(double millis) {
    return millis == Math.rint(millis) ? Long.toString((long) millis) : Double.toString(millis);
  }
}
