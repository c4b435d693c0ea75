package io.cloudkon.client.runs;

import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.Say;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Formats a list of runs for people: a line of 80 columns each, with its name below. Stateless. */
public final class RunsText {
  private static final int ID = 24;

  private RunsText() {}

  /** The lines. */
  public static List<String> of(List<RunSummary> runs, long nowMillis) {
    List<String> lines = new ArrayList<>();
    lines.add(row("RUN", "STATE", "STARTED", "TOOK", "FINISHED", "NOT OK") + "  COST");
    for (RunSummary run : runs) {
      lines.add(line(run, nowMillis));
      String called = called(run);
      if (!called.isEmpty()) {
        lines.add("  " + called);
      }
    }
    return lines;
  }

  private static String line(RunSummary run, long nowMillis) {
    RunProgress progress = run.progress();
    String row =
        row(
            Say.cut(run.run(), ID),
            run.state(),
            run.startedMillis().isPresent()
                ? Say.when(run.startedMillis().getAsLong(), nowMillis)
                : "?",
            run.tookMillis().isPresent() ? Say.span(run.tookMillis().getAsLong()) : "?",
            (progress == null ? "?" : progress.number())
                + (run.tasks() < 0 ? "" : "/" + Say.number(run.tasks())),
            progress == null ? "?" : Say.number(progress.notSucceeded()));
    return run.costUsd().isPresent()
        ? row + String.format(Locale.ROOT, "  $%.4f", run.costUsd().getAsDouble())
        : row;
  }

  /** Its name and tags; empty if it has none. */
  private static String called(RunSummary run) {
    List<String> words = new ArrayList<>();
    if (!run.label().name().isEmpty()) {
      words.add(run.label().name());
    }
    new TreeMap<>(run.label().tags()).forEach((key, value) -> words.add(key + "=" + value));
    return String.join("  ", words);
  }

  private static String row(
      String run, String state, String started, String took, String finished, String notOk) {
    return String.format(
        Locale.ROOT, "%-24s %-9s %-19s %6s %11s %6s", run, state, started, took, finished, notOk);
  }
}
