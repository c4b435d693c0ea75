package io.cloudkon.faults;

import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGKILL and SIGSTOP of manager and sub-worker at each step of a gang, one case for each. By
 * default those that differ most; {@code -Dcloudkon.hpc.steps=all} runs all, and any other value
 * those whose name has that in it.
 */
@EnabledOnOs(OS.LINUX) // where a process's sockets and environment can be read
@Tag("slow")
class HpcStepsIT {
  private static final String WHICH = System.getProperty("cloudkon.hpc.steps", "");
  private static final int AT_A_TIME = 3;

  /** Of at-most-once: a job is LOST, or not, by how far it had come. */
  private static final Set<HpcStep> AT_MOST_ONCE =
      EnumSet.of(
          HpcStep.CLAIM,
          HpcStep.WELCOME,
          HpcStep.START,
          HpcStep.RUNNING,
          HpcStep.SEND,
          HpcStep.DONE,
          HpcStep.REGISTER,
          HpcStep.START_ANSWER,
          HpcStep.RANKS_RUN);

  private static final Set<Case> CHOSEN =
      Set.of(
          new Case(HpcStep.RESERVE, Blow.FREEZE, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.OFFER, Blow.KILL, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.START, Blow.FREEZE, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.RUNNING, Blow.KILL, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.SEND, Blow.FREEZE, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.DONE, Blow.KILL, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.REGISTER, Blow.KILL, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.RANKS_RUN, Blow.FREEZE, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.DISSOLVE, Blow.KILL, Consistency.EXACTLY_ONCE),
          new Case(HpcStep.RUNNING, Blow.KILL, Consistency.AT_MOST_ONCE));

  @TempDir private static Path folder;
  private static final Map<Case, Future<String>> OUTCOMES = new HashMap<>();
  private static ExecutorService threads;

  record Case(HpcStep step, Blow blow, Consistency mode) {
    @Override
    public String toString() {
      return "%s %s at %s, %s"
          .formatted(
              step.role().subWorker() ? "sub-worker" : "manager",
              blow == Blow.KILL ? "killed" : "frozen",
              step.name().toLowerCase(Locale.ROOT),
              mode.label());
    }

    String run(Path place) throws IOException, InterruptedException {
      long begun = System.nanoTime();
      try (HpcStepRun run = new HpcStepRun(step, blow, mode, place)) {
        try {
          run.run();
        } catch (Throwable e) {
          System.out.printf("==== %s: %s%n%s====%n", this, run.summary(), run.said());
          throw e;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        return "%s: %d s; %s".formatted(this, took.toSeconds(), run.summary());
      }
    }
  }

  static Stream<Case> cases() {
    List<Case> all = new ArrayList<>();
    for (HpcStep step : HpcStep.values()) {
      for (Blow blow : Blow.values()) {
        all.add(new Case(step, blow, Consistency.EXACTLY_ONCE));
        if (AT_MOST_ONCE.contains(step)) {
          all.add(new Case(step, blow, Consistency.AT_MOST_ONCE));
        }
      }
    }
    return all.stream()
        .filter(one ->
            switch (WHICH) {
              case "" -> CHOSEN.contains(one);
              case "all" -> true;
              default -> one.toString().contains(WHICH);
            });
  }

  /** Most of the time of each is spent in waiting for leases. */
  @BeforeAll
  static void start() throws IOException {
    threads =
        Executors.newFixedThreadPool(AT_A_TIME, Thread.ofPlatform().name("step-", 1).factory());
    int number = 0;
    for (Case one : cases().toList()) {
      Path place = Files.createDirectory(folder.resolve("case-" + ++number));
      OUTCOMES.put(one, threads.submit(() -> one.run(place)));
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    threads.shutdownNow();
    if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new AssertionError("cases still run");
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void job_has_one_result_and_nothing_is_left_of(Case one) throws Throwable {
    try {
      System.out.println(OUTCOMES.get(one).get());
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }
}
