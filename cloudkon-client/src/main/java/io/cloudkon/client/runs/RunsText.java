package io.cloudkon.client.runs;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.Say;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Formats a list of runs for people: a line each, with its name below. Columns are as wide as they
 * need to be, so that ids like CloudKon's own and a cost leave a line within 80 columns. Stateless.
 */
public final class RunsText {
  private static final int WIDEST_ID = 24;
  private static final double LEAST_USD = 0.0001;
  private static final List<String> TITLES =
      List.of("RUN", "STATE", "STARTED", "TOOK", "FINISHED", "NOT OK", "COST");

  /** The number of first columns that start at the same place; the others end there. */
  private static final int WORDS = 3;

  private RunsText() {}

  /** The lines. */
  public static List<String> of(List<RunSummary> runs, long nowMillis) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(TITLES);
    runs.forEach(run -> rows.add(row(run, nowMillis)));
    int[] widths =
        IntStream.range(0, TITLES.size())
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    List<String> lines = new ArrayList<>();
    lines.add(line(rows.getFirst(), widths));
    for (int i = 0; i < runs.size(); i++) {
      lines.add(line(rows.get(i + 1), widths));
      String called = called(runs.get(i));
      if (!called.isEmpty()) {
        lines.add("  " + called);
      }
    }
    return lines;
  }

  private static List<String> row(RunSummary run, long nowMillis) {
    RunProgress progress = run.progress();
    return List.of(
        Say.cut(run.run(), WIDEST_ID),
        run.state(),
        run.startedMillis().isPresent()
            ? Say.shortWhen(run.startedMillis().getAsLong(), nowMillis)
            : "?",
        run.tookMillis().isPresent() ? Say.span(run.tookMillis().getAsLong()) : "?",
        (progress == null ? "?" : progress.number())
            + (run.tasks() < 0 ? "" : "/" + Say.number(run.tasks())),
        progress == null ? "?" : Say.number(progress.notSucceeded()),
        run.costUsd().isPresent() ? cost(run.costUsd().getAsDouble()) : "");
  }

  private static String cost(double usd) {
    return usd > 0 && usd < LEAST_USD ? "<$0.0001" : String.format(Locale.ROOT, "$%.4f", usd);
  }

  private static String line(List<String> row, int[] widths) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - row.get(i).length());
      cells.add(i < WORDS ? row.get(i) + padding : padding + row.get(i));
    }
    return String.join(" ", cells).stripTrailing();
  }

  /** Its name, tags and folder, if that has a name of its own; empty if it has none. */
  private static String called(RunSummary run) {
    List<String> words = new ArrayList<>();
    if (!run.label().name().isEmpty()) {
      words.add(run.label().name());
    }
    new TreeMap<>(run.label().tags()).forEach((key, value) -> words.add(key + "=" + value));
    run.folder()
        .filter(folder -> !folder.equals(RunFolder.ofRun(run.run())))
        .ifPresent(folder -> words.add("in " + folder));
    return String.join("  ", words);
  }
}
