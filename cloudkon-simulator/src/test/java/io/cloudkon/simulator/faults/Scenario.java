package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a run consists of. A task's duration is nothing that its kind tells: workers have to learn
 * it, and err.
 *
 * @param name for messages
 * @param consistency the run's
 * @param bundle tasks per bundle
 * @param millis each task's duration; or {@link #POISON}, {@link #FREEZE}, or {@link #flaky}
 */
record Scenario(String name, Consistency consistency, int bundle, List<Integer> millis)
    implements Tasks {
  /** For a duration: a task that kills its worker whenever it runs. */
  static final int POISON = -1;

  /** For a duration: a task that stops its worker for 20 s whenever it runs. */
  static final int FREEZE = -2;

  /**
   * For a duration: a task that stops its worker whenever it runs, for long enough that the guard
   * kills what runs there, and not for long enough that its lease is lost.
   */
  static final int STALL = -3;

  private static final long FROZEN_MILLIS = 20_000;
  private static final long STALLED_MILLIS = 7_600;
  private static final int FLAKY = 1_000_000;
  private static final int RETRIES = 2;

  /** For a duration: a task that fails so often under each claim before it succeeds. */
  static int flaky(int failures, int millis) {
    return failures * FLAKY + millis;
  }

  /** Three short bundles. */
  static Scenario plain(Consistency mode) {
    return new Scenario("plain", mode, 4, List.of(10, 10, 10, 10, 10, 5, 20, 0, 0, 0, 0));
  }

  /** Tasks that outlast heartbeats, so that what waits behind them is handed to a child. */
  static Scenario handedOn(Consistency mode) {
    return new Scenario("handed on", mode, 5, List.of(7_000, 6_000, 20, 30, 20, 15));
  }

  /** Long enough for a worker to be drained in the middle. */
  static Scenario drained(Consistency mode) {
    return new Scenario("drained", mode, 5, List.of(100, 150, 3_000, 100, 100, 80, 80));
  }

  /** With a task that kills its worker. */
  static Scenario poisoned(Consistency mode) {
    return new Scenario(
        "poisoned",
        mode,
        6,
        List.of(20, 30, POISON, 20, 20, 10, 10, 10, 3_000, 10, 5, 5, 5, 5, 5, 5, 5, 5));
  }

  /** The same without tasks of this duration. */
  Scenario without(int duration) {
    Stream<Integer> left = millis.stream().filter(task -> task != duration);
    return new Scenario(name, consistency, bundle, left.toList());
  }

  @Override
  public int size() {
    return millis.size();
  }

  @Override
  public Task task(int ordinal) {
    Work work = new Work.JavaCall("h" + ordinal / bundle % 2, List.of(Integer.toString(ordinal)));
    return new Task(ordinal, "", work, 0, millis.get(ordinal) >= FLAKY ? RETRIES : 0);
  }

  @Override
  public long micros(int ordinal) {
    return Math.max(0, millis.get(ordinal)) % FLAKY * 1000L;
  }

  @Override
  public int failures(int ordinal) {
    return Math.max(0, millis.get(ordinal)) / FLAKY;
  }

  @Override
  public boolean poison(int ordinal) {
    return millis.get(ordinal) == POISON;
  }

  @Override
  public long freezeMillis(int ordinal) {
    return switch (millis.get(ordinal)) {
      case FREEZE -> FROZEN_MILLIS;
      case STALL -> STALLED_MILLIS;
      default -> 0;
    };
  }
}
