package io.cloudkon.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Classic bugs, planted: the seeds must find each by what a user could see alone, the order of
 * effects unwatched. A check that cannot fail proves nothing.
 */
class PlantedBugsTest {
  private static final int SEEDS = 2_000;

  @ParameterizedTest
  @CsvSource({
    "STALE_WRITE_ACCEPTED, EXACTLY_ONCE",
    "STALE_WRITE_ACCEPTED, AT_MOST_ONCE",
    "LIVE_LEASE_TAKEN, EXACTLY_ONCE",
    "LIVE_LEASE_TAKEN, AT_MOST_ONCE",
    "DONE_RETAKEN, EXACTLY_ONCE",
    "DELETED_EARLY, EXACTLY_ONCE",
    "DELETED_EARLY, AT_MOST_ONCE",
    "RECORDED_EARLY, EXACTLY_ONCE",
    "RECORDED_EARLY, AT_LEAST_ONCE",
    "NONCE_REUSED, EXACTLY_ONCE",
    "NONCE_REUSED, AT_MOST_ONCE",
    "STARTS_NOT_RECORDED, AT_MOST_ONCE",
    "LOST_FINAL_AT_ONCE, AT_MOST_ONCE",
  })
  void planted_bug_is_found_by_some_seed(Bug bug, Consistency mode) {
    assertThat(firstFound(bug, mode, false)).hasMessageNotContaining("asked for before its end");
  }

  @ParameterizedTest
  @CsvSource({
    "STALE_WRITE_ACCEPTED, EXACTLY_ONCE, was DONE already",
    "LIVE_LEASE_TAKEN, EXACTLY_ONCE, on a claim not its own",
    "RECORDED_EARLY, EXACTLY_ONCE, was recorded before its result was accepted",
    "DONE_RETAKEN, AT_MOST_ONCE, was DONE already",
  })
  void order_of_effects_gives_planted_bug_away(Bug bug, Consistency mode, String words) {
    assertThat(firstFound(bug, mode, true)).hasMessageContaining(words);
  }

  private static Violation firstFound(Bug bug, Consistency mode, boolean orderWatched) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Settings settings = Chaos.settings(seed).withBug(bug);
      World world =
          new World(
              Scenarios.random(mode, seed), orderWatched ? settings.withOrderWatched() : settings);
      try {
        Chaos.of(seed).accept(world);
        world.runToTheEnd();
      } catch (Violation found) {
        return found;
      }
    }
    throw new AssertionError("no seed of %d found %s".formatted(SEEDS, bug));
  }
}
