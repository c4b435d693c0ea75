package io.cloudkon.core.faults;

import io.cloudkon.core.model.Consistency;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** The runs that the fault tests let happen. */
final class Scenarios {
  private Scenarios() {}

  /** Three short bundles. */
  static Scenario plain(Consistency mode) {
    return new Scenario(
        "plain", mode, List.of(List.of(10, 10, 10, 10, 10), List.of(5, 20), List.of(0, 0, 0, 0)));
  }

  /** Tasks that outlast heartbeats, so that what waits behind them is handed to a child. */
  static Scenario handedOn(Consistency mode) {
    return new Scenario("handed on", mode, List.of(List.of(7_000, 6_000, 20, 30, 20), List.of(15)));
  }

  /** Long enough for the worker to be drained in the middle. */
  static Scenario drained(Consistency mode) {
    return new Scenario(
        "drained", mode, List.of(List.of(100, 150, 3_000, 100, 100), List.of(80, 80)));
  }

  /** Anything. */
  static Scenario random(Consistency mode, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Integer>> bundles = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    boolean uniform = random.nextInt(4) == 0;
    for (int i = 0; i < count; i++) {
      int tasks = 1 + random.nextInt(10);
      bundles.add(
          uniform
              ? Collections.nCopies(tasks, 20)
              : random.ints(tasks, 0, 100).map(dice -> millis(dice, random)).boxed().toList());
    }
    return new Scenario("random " + seed, mode, bundles);
  }

  private static int millis(int dice, SplittableRandom random) {
    if (dice < 64) {
      return random.nextInt(40);
    }
    if (dice < 70) {
      return Scenario.flaky(random.nextInt(4), random.nextInt(40));
    }
    return dice < 95 ? 300 + random.nextInt(2_500) : 5_000 + random.nextInt(15_000);
  }
}
