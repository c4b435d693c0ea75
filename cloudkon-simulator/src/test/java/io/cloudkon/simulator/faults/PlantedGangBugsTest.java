package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.GangChaos;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.world.BugHook;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bugs of gangs, planted: the seeds must find each. A check that cannot fail proves nothing. */
@Tag("slow")
class PlantedGangBugsTest {
  private static final int SEEDS = 2_000;

  /** Which. */
  enum GangBug {
    SILENCE_IGNORED(WrongGangs.SilenceIgnored::new),
    FREE_FORGOTTEN(WrongGangs.FreeForgotten::new),
    STARTED_BEFORE_ALL(WrongGangs.StartedBeforeAll::new),
    LATE_RENEWAL_ACCEPTED(WrongGangs.LateRenewalAccepted::new),
    NEVER_CALLED_BACK(WrongGangs.NeverCalledBack::new),
    WAITING_FORGOTTEN(WrongGangs.WaitingForgotten::new),
    REPORTS_COUNTED(WrongGangs.ReportsCounted::new);

    private final Supplier<BugHook> twist;

    GangBug(Supplier<BugHook> twist) {
      this.twist = twist;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SILENCE_IGNORED, EXACTLY_ONCE",
    "SILENCE_IGNORED, AT_MOST_ONCE",
    "FREE_FORGOTTEN, EXACTLY_ONCE",
    "STARTED_BEFORE_ALL, EXACTLY_ONCE",
    "LATE_RENEWAL_ACCEPTED, EXACTLY_ONCE",
    "NEVER_CALLED_BACK, EXACTLY_ONCE",
    "NEVER_CALLED_BACK, AT_MOST_ONCE",
    "WAITING_FORGOTTEN, EXACTLY_ONCE",
    "REPORTS_COUNTED, EXACTLY_ONCE",
    "REPORTS_COUNTED, AT_MOST_ONCE",
  })
  void planted_bug_of_gangs_is_found(GangBug bug, Consistency mode) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Chaos chaos = GangChaos.of(seed, mode).withRetries(seed).withShutDoors(seed);
      Setup setup = chaos.setup().with(bug.twist.get());
      try {
        Outcome unused = Simulation.run(setup, chaos.script());
      } catch (Violation found) {
        System.out.printf(
            Locale.ROOT,
            "%s, %s: found after %d seeds (%s)%n",
            bug,
            mode.label(),
            seed,
            found.getMessage());
        return;
      }
    }
    throw new AssertionError("%d seeds did not find %s in %s".formatted(SEEDS, bug, mode.label()));
  }
}
