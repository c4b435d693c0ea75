package io.cloudkon.bench.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Formats a sitting's figures, and how comparable they are, as Markdown. */
final class ComparisonTables {
  private static final String NONE = "–";

  private final Sitting.Outcome outcome;
  private final Figures figures;

  ComparisonTables(Sitting.Outcome outcome) {
    this.outcome = outcome;
    this.figures = outcome.figures();
  }

  /** All tables, and the systems that were left out. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Medians of %s, in turns. Each system has %d slots. Two figures in a cell: by the system's own clock, from the first \
        submit to the last result / by the whole command or script, its start included.

        """
            .formatted(
                outcome.rounds() == 1 ? "one round" : outcome.rounds() + " rounds",
                Exercise.SLOTS));
    table(text, speedHead(), this::speed);
    text.append("\nEfficiency of tasks that sleep in the system's own process:\n\n");
    table(text, efficiencyHead(Exercise.Kind.SLEEP), c -> efficiency(c, Exercise.Kind.SLEEP));
    text.append("\nEfficiency of tasks that are commands, `sh -c 'sleep S'`:\n\n");
    table(text, efficiencyHead(Exercise.Kind.COMMAND), c -> efficiency(c, Exercise.Kind.COMMAND));
    text.append('\n');
    table(text, List.of("system", "durable", "stands before", "and"), this::notes);
    outcome
        .leftOut()
        .forEach((competitor, why) ->
            text.append(
                "\n%s is not, or not wholly, in it: %s\n".formatted(competitor.title(), why)));
    return text.toString();
  }

  /** The row of cells for a system; an empty one is left out. */
  private interface Row {
    List<String> of(Competitor competitor);
  }

  private void table(StringBuilder text, List<String> head, Row row) {
    line(text, head);
    text.append("|---".repeat(head.size())).append("|\n");
    for (Competitor competitor : outcome.competitors()) {
      if (figures.has(competitor)) {
        List<String> cells = row.of(competitor);
        if (!cells.isEmpty()) {
          line(text, cells);
        }
      }
    }
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private List<Exercise> of(Exercise.Kind kind) {
    return outcome.exercises().stream().filter(exercise -> exercise.kind() == kind).toList();
  }

  private List<String> speedHead() {
    List<String> head = new ArrayList<>(List.of("system", "start and one no-op"));
    of(Exercise.Kind.TRUE).forEach(e -> head.add("%,d × `sh -c true`, per s".formatted(e.tasks())));
    of(Exercise.Kind.NOOP).forEach(e -> head.add("%,d no-ops, per s".formatted(e.tasks())));
    return head;
  }

  private List<String> speed(Competitor competitor) {
    List<String> cells = new ArrayList<>(List.of(name(competitor)));
    for (Exercise exercise : of(Exercise.Kind.START)) {
      cells.add(
          text(figures.median(competitor, exercise, Clocked.WHOLE), "%.2f s"::formatted, NONE));
    }
    for (Exercise.Kind kind : List.of(Exercise.Kind.TRUE, Exercise.Kind.NOOP)) {
      for (Exercise exercise : of(kind)) {
        cells.add(
            both(
                figures.rate(competitor, exercise, Clocked.OWN),
                figures.rate(competitor, exercise, Clocked.WHOLE),
                rate -> String.format(Locale.ROOT, "%,.0f", rate)));
      }
    }
    return cells;
  }

  private List<String> efficiencyHead(Exercise.Kind kind) {
    List<String> head = new ArrayList<>(List.of("system"));
    of(kind).forEach(e -> head.add("%,d × %d ms".formatted(e.tasks(), e.millis())));
    return head;
  }

  private List<String> efficiency(Competitor competitor, Exercise.Kind kind) {
    List<Exercise> exercises = of(kind);
    if (exercises.stream().noneMatch(competitor::does)) {
      return List.of();
    }
    List<String> cells = new ArrayList<>(List.of(name(competitor)));
    for (Exercise exercise : exercises) {
      cells.add(
          both(
              figures.efficiency(competitor, exercise, Clocked.OWN),
              figures.efficiency(competitor, exercise, Clocked.WHOLE),
              share -> String.format(Locale.ROOT, "%.1f %%", 100 * share)));
    }
    return cells;
  }

  private static String both(
      OptionalDouble own, OptionalDouble whole, DoubleFunction<String> format) {
    return whole.isEmpty() ? NONE : text(own, format, NONE) + " / " + text(whole, format, NONE);
  }

  private static String text(OptionalDouble value, DoubleFunction<String> format, String none) {
    return value.isEmpty() ? none : format.apply(value.getAsDouble());
  }

  private List<String> notes(Competitor competitor) {
    String part =
        competitor.doesPart()
            ? "; does %d of %d of the tasks of 1 ms and less, as it is slow"
                .formatted(1, competitor.divisor())
            : "";
    return List.of(
        name(competitor), competitor.durable(), competitor.standing(), competitor.remark() + part);
  }

  private String name(Competitor competitor) {
    String version = figures.version(competitor);
    return version.isEmpty() || competitor.role() != Competitor.Role.RIVAL
        ? competitor.title()
        : competitor.title() + " " + version.replaceFirst("^v", "");
  }
}
