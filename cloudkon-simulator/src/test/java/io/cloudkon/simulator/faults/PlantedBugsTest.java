package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.check.Violation;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Classic bugs, planted: the seeds must find each, by what a user could see alone, and by the order
 * of effects, where that is watched. A check that cannot fail proves nothing.
 */
@Tag("slow")
class PlantedBugsTest {
  private static final int SEEDS = 3_000;

  /**
   * What gave a bug away.
   *
   * @param seeds how many it took
   * @param words what was said
   */
  private record Found(long seeds, String words) {}

  @ParameterizedTest
  @CsvSource({
    "STALE_WRITE_ACCEPTED, EXACTLY_ONCE",
    "STALE_WRITE_ACCEPTED, AT_MOST_ONCE",
    "SEQ_IGNORED, EXACTLY_ONCE",
    "SEQ_IGNORED, AT_MOST_ONCE",
    "NONCE_LOST, EXACTLY_ONCE",
    "NONCE_LOST, AT_MOST_ONCE",
    "NONCE_REUSED, EXACTLY_ONCE",
    "NONCE_REUSED, AT_MOST_ONCE",
    "LIVE_LEASE_TAKEN, EXACTLY_ONCE",
    "LIVE_LEASE_TAKEN, AT_MOST_ONCE",
    "DONE_RETAKEN, EXACTLY_ONCE",
    "DONE_RETAKEN, AT_MOST_ONCE",
    "STARTS_NOT_RECORDED, AT_MOST_ONCE",
    "ACKNOWLEDGED_EARLY, EXACTLY_ONCE",
    "ACKNOWLEDGED_EARLY, AT_MOST_ONCE",
    "ACKNOWLEDGED_EARLY, AT_LEAST_ONCE",
    "RECORDED_BEFORE_REPLIED, EXACTLY_ONCE",
    "RECORDED_BEFORE_REPLIED, AT_MOST_ONCE",
    "RECORDED_BEFORE_REPLIED, AT_LEAST_ONCE",
    "TASKS_RUN_ON, EXACTLY_ONCE",
    "RETRIED_WRITE_TAKEN_AS_FENCED, EXACTLY_ONCE",
    "RETRIED_WRITE_TAKEN_AS_FENCED, AT_MOST_ONCE",
    "CLOSED_RUN_UNNOTICED, EXACTLY_ONCE",
    "CLOSED_RUN_UNNOTICED, AT_MOST_ONCE",
    "CLOSED_RUN_UNNOTICED, AT_LEAST_ONCE",
    "DRAIN_KILLS_AT_ONCE, EXACTLY_ONCE",
    "DRAIN_KILLS_AT_ONCE, AT_MOST_ONCE",
    "FAILED_BEFORE_LETTER, EXACTLY_ONCE",
    "SPLIT_SENT_BEFORE_RECORDED, EXACTLY_ONCE",
    "SPLIT_SENT_BEFORE_RECORDED, AT_MOST_ONCE",
    "CHILDREN_FORGOTTEN, EXACTLY_ONCE",
    "RETRIED_UNDER_NEW_ID, EXACTLY_ONCE",
    "RETRIED_UNDER_NEW_ID, AT_MOST_ONCE",
    "LOST_FINAL_AT_ONCE, AT_MOST_ONCE",
    "RESULTS_DELETED_EARLY, EXACTLY_ONCE",
    "RESULTS_DELETED_EARLY, AT_MOST_ONCE",
    "RESULTS_DELETED_EARLY, AT_LEAST_ONCE",
  })
  void planted_bug_is_found_by_what_a_user_sees_and_by_the_order(Bug bug, Consistency mode) {
    Found seen = find(bug, mode, false);
    Found ordered = find(bug, mode, true);
    System.out.printf(
        Locale.ROOT,
        "%s, %s: a user sees it after %d seeds (%s); with the order watched after %d (%s)%n",
        bug,
        mode.label(),
        seen.seeds(),
        seen.words(),
        ordered.seeds(),
        ordered.words());
    assertThat(ordered.seeds()).isLessThanOrEqualTo(seen.seeds());
  }

  private static Found find(Bug bug, Consistency mode, boolean orderWatched) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Chaos chaos = Chaos.of(seed, mode).withRetries(seed).withLongTasks(seed);
      Setup setup = chaos.setup().with(bug.twist()).withOrderWatched(orderWatched);
      try {
        Outcome unused = Simulation.run(setup, chaos.script());
      } catch (Violation found) {
        return new Found(seed, String.valueOf(found.getMessage()));
      } catch (IllegalArgumentException refused) {
        // A machine noticed what cannot be: its worker would end, and no promise was broken yet.
        continue;
      }
    }
    throw new AssertionError("%d seeds did not find %s in %s".formatted(SEEDS, bug, mode.label()));
  }
}
