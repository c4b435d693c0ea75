package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the systems do the exercises in turns: each exercise by one system after the other, and all
 * exercises again in each round. A system that fails is left out from then on. Not thread safe.
 */
final class Sitting {
  private static final int QUICK_ROUNDS = 1;
  private static final int ROUNDS = 3;

  /**
   * The time limit: no round begins that would exceed it if it took as long as the previous one.
   */
  private static final Duration BUDGET = Duration.ofMinutes(11);

  private final CommandLines commandLines;
  private final ProcessRunner runner;
  private final List<Exercise> exercises;
  private final int rounds;
  private final PrintWriter out;
  private final Map<Competitor, String> leftOut;
  private final Figures figures = new Figures();

  /**
   * A sitting that has not started.
   *
   * @param leftOut the systems that cannot take part, with the reasons; those that fail are added
   */
  Sitting(
      CommandLines commandLines,
      ProcessRunner runner,
      boolean quick,
      Map<Competitor, String> leftOut,
      PrintWriter out) {
    this.commandLines = commandLines;
    this.runner = runner;
    this.exercises = Exercise.all(quick);
    this.rounds = quick ? QUICK_ROUNDS : ROUNDS;
    this.leftOut = new EnumMap<>(leftOut);
    this.out = out;
  }

  /** Runs all rounds, or as many as the time allows, but at least one. */
  Outcome run(List<Competitor> competitors) throws IOException, InterruptedException {
    for (Exercise exercise : exercises) {
      if (exercise.millis() <= 1) {
        attempt(Competitor.CLUSTER, exercise, false); // so that its worker is warm
      }
    }
    int done = 0;
    long begun = System.nanoTime();
    Duration last = Duration.ZERO;
    while (done < rounds && since(begun).plus(last).compareTo(BUDGET) <= 0) {
      long roundBegun = System.nanoTime();
      done++;
      for (Exercise exercise : exercises) {
        out.printf("round %d of %d: %s%n", done, rounds, exercise.name());
        out.flush();
        for (Competitor competitor : competitors) {
          attempt(competitor, exercise, true);
        }
      }
      last = since(roundBegun);
    }
    return new Outcome(competitors, exercises, done, figures, leftOut);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private void attempt(Competitor competitor, Exercise exercise, boolean counts)
      throws IOException, InterruptedException {
    if (leftOut.containsKey(competitor) || !competitor.does(exercise)) {
      return;
    }
    try {
      Measurement measured = once(competitor, exercise);
      if (counts) {
        figures.add(competitor, exercise, measured);
        out.printf("  %s%n", line(competitor, measured));
        out.flush();
      }
    } catch (CloudKonException e) {
      String why = "%s failed: %s".formatted(exercise.name(), e.getMessage());
      leftOut.put(competitor, why);
      out.printf("  %s is left out from now on: %s%n", competitor.label(), why);
      out.flush();
    }
  }

  private Measurement once(Competitor competitor, Exercise exercise)
      throws IOException, InterruptedException {
    int tasks = competitor.tasks(exercise);
    ProcessRunner.Run run =
        runner.run(
            competitor.label() + "-" + exercise.name(),
            commandLines.command(competitor, exercise),
            commandLines.environment(competitor));
    return switch (competitor) {
      case XARGS -> new Measurement(tasks, null, run.seconds(), null);
      case LOCAL, CLUSTER -> OwnClock.ofClient(run.output(), tasks, run.seconds());
      case THREADS, HYPERQUEUE, CELERY, DASK, RAY ->
          OwnClock.ofScript(run.output(), tasks, run.seconds());
    };
  }

  private static String line(Competitor competitor, Measurement measured) {
    List<String> parts = new ArrayList<>();
    parts.add("%-11s%,7d tasks".formatted(competitor.label(), measured.tasks()));
    Double own = measured.ownSeconds();
    parts.add(own == null ? " ".repeat(15) : "own %9.3f s".formatted(own));
    parts.add("whole %9.3f s".formatted(measured.wholeSeconds()));
    return String.join("  ", parts);
  }

  /**
   * The results of a sitting.
   *
   * @param competitors the systems that took part or were meant to
   * @param exercises the exercises in order
   * @param rounds the number of rounds
   * @param leftOut the systems that could not take part or failed, with the reasons
   */
  record Outcome(
      List<Competitor> competitors,
      List<Exercise> exercises,
      int rounds,
      Figures figures,
      Map<Competitor, String> leftOut) {
    /** Whether any rival has done an exercise. */
    boolean hasRival() {
      return Competitor.rivals().stream().anyMatch(figures::has);
    }
  }
}
