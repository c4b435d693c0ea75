package io.cloudkon.bench.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The output of a {@link FleetSampler}. Immutable.
 *
 * @param samples in chronological order
 */
public record FleetRecord(List<FleetSample> samples) {
  public FleetRecord {
    samples = List.copyOf(samples);
  }

  /** Reads the output so far, without an incomplete last line. */
  public static FleetRecord read(String output) {
    String whole = output.substring(0, output.lastIndexOf('\n') + 1);
    return new FleetRecord(
        whole
            .lines()
            .filter(line -> !line.isEmpty() && Character.isDigit(line.charAt(0)))
            .map(FleetSample::of)
            .toList());
  }

  /** Whether no worker lives or boots in the last sample. */
  public boolean endsWithoutWorkers() {
    return !samples.isEmpty() && samples.getLast().live() == 0 && samples.getLast().booting() == 0;
  }

  /** The maximum number of workers that lived at a time. */
  public int mostWorkers() {
    return FleetTable.of(samples).mostWorkers();
  }

  /** The fleet's figures, in lines. */
  public List<String> lines() {
    FleetTable table = FleetTable.of(samples);
    return List.of(
        line("first launch      %6.2f s after the first bundle", table.firstLaunchSeconds()),
        line("wanted at most    %6d workers", table.mostWanted()),
        line("lived at most     %6d workers", table.mostWorkers()),
        line("none left         %6.2f s after the last bundle", table.emptySeconds()),
        line("spent             %6.4f USD", table.spentUsd()));
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static String line(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }

  /**
   * Draws the history as a PNG.
   *
   * @param finishes when each task finished, in epoch milliseconds, in any order
   */
  public void draw(Path file, long[] finishes) throws IOException {
    FleetFigure.write(file, samples, finishes);
  }
}
