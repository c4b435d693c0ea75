package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.FleetChaos;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.world.BugHook;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bugs of fleets that grow with their queue, planted: the seeds must find each. A check that cannot
 * fail proves nothing.
 */
class PlantedFleetBugsTest {
  private static final int SEEDS = 500;

  /** Which. */
  enum FleetBug {
    BOOTS_NOT_COUNTED(WrongFleets.BootsNotCounted::new),
    INTENT_AFTER_EFFECT(WrongFleets.IntentAfterEffect::new),
    SEAT_IGNORED(WrongFleets.SeatIgnored::new);

    private final Supplier<BugHook> twist;

    FleetBug(Supplier<BugHook> twist) {
      this.twist = twist;
    }
  }

  @ParameterizedTest
  @EnumSource
  void planted_bug_of_fleets_is_found(FleetBug bug) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Chaos chaos = FleetChaos.of(seed, Consistency.EXACTLY_ONCE);
      Setup setup = chaos.setup().with(bug.twist.get());
      try {
        Outcome unused = Simulation.run(setup, chaos.script());
      } catch (Violation found) {
        System.out.printf(
            Locale.ROOT, "%s: found after %d seeds (%s)%n", bug, seed, found.getMessage());
        return;
      }
    }
    throw new AssertionError("%d seeds did not find %s".formatted(SEEDS, bug));
  }
}
