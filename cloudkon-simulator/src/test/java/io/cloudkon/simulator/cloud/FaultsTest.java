package io.cloudkon.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import io.cloudkon.simulator.cloud.FaultSettings.Outage;
import io.cloudkon.simulator.engine.Timeline;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final int DRAWS = 40_000;

  private final Timeline timeline = new Timeline();

  private Faults faults(FaultSettings settings) {
    return new Faults(settings, timeline, new SplittableRandom(1));
  }

  private void until(long micros) {
    timeline.in(micros - timeline.now(), () -> {});
    timeline.step();
  }

  private static double share(BooleanSupplier drawn) {
    int times = 0;
    for (int i = 0; i < DRAWS; i++) {
      times += drawn.getAsBoolean() ? 1 : 0;
    }
    return (double) times / DRAWS;
  }

  @Test
  void fates_are_as_frequent_as_their_odds() {
    Faults faults =
        faults(
            new FaultSettings(
                Map.of(Call.CLAIM_WRITE, new Odds(0.1, 0.05, 0.2, 0.02)),
                1,
                0,
                0,
                0,
                List.of(),
                1_000));
    Map<Fate, Integer> drawn = new EnumMap<>(Fate.class);
    for (int i = 0; i < DRAWS; i++) {
      drawn.merge(faults.fate(Call.CLAIM_WRITE), 1, Integer::sum);
    }

    Map<Fate, Double> expected =
        Map.of(
            Fate.THROTTLED, 0.1,
            Fate.ANSWER_LOST, 0.05,
            Fate.COPIED, 0.2,
            Fate.EFFECT_LATE, 0.02,
            Fate.CARRIED_OUT, 0.63);
    expected.forEach((fate, odds) ->
        assertThat(drawn.getOrDefault(fate, 0) / (double) DRAWS)
            .as("%s", fate)
            .isCloseTo(odds, within(0.01)));
    assertThat(share(() -> faults.fate(Call.CLAIM_READ) == Fate.CARRIED_OUT))
        .as("a call without odds")
        .isEqualTo(1);
  }

  @Test
  void duplicates_limbo_and_refused_entries_are_as_frequent_as_they_are_set() {
    Faults faults = faults(new FaultSettings(Map.of(), 1, 0.02, 0.3, 0.1, List.of(), 1_000));

    assertThat(share(faults::duplicated)).isCloseTo(0.02, within(0.005));
    assertThat(share(faults::limbo)).isCloseTo(0.3, within(0.01));
    assertThat(share(faults::refusesEntry)).isCloseTo(0.1, within(0.01));
  }

  @Test
  void nothing_goes_wrong_from_the_end_on() {
    Faults faults =
        faults(
            new FaultSettings(
                Map.of(Call.CLAIM_WRITE, new Odds(1, 0, 0, 0)),
                1,
                1,
                1,
                1,
                List.of(new Outage(0, 5_000, Set.of(Call.RUN_READ))),
                1_000));
    until(999);
    assertThat(faults.fate(Call.CLAIM_WRITE)).isEqualTo(Fate.THROTTLED);
    assertThat(faults.fate(Call.RUN_READ)).isEqualTo(Fate.THROTTLED);
    assertThat(faults.duplicated()).isTrue();

    until(1_000);

    assertThat(faults.fate(Call.CLAIM_WRITE)).isEqualTo(Fate.CARRIED_OUT);
    assertThat(faults.fate(Call.RUN_READ)).isEqualTo(Fate.CARRIED_OUT);
    assertThat(faults.duplicated()).isFalse();
    assertThat(faults.limbo()).isFalse();
    assertThat(faults.refusesEntry()).isFalse();
  }

  @Test
  void outage_hits_its_calls_from_its_begin_to_before_its_end() {
    Faults faults =
        faults(
            new FaultSettings(
                Map.of(),
                1,
                0,
                0,
                0,
                List.of(new Outage(100, 200, Set.of(Call.BLOB_PUT, Call.BLOB_GET))),
                1_000));
    until(99);
    assertThat(faults.fate(Call.BLOB_PUT)).isEqualTo(Fate.CARRIED_OUT);
    until(100);
    assertThat(faults.fate(Call.BLOB_PUT)).isEqualTo(Fate.THROTTLED);
    assertThat(faults.fate(Call.BLOB_GET)).isEqualTo(Fate.THROTTLED);
    assertThat(faults.fate(Call.BLOB_LIST)).isEqualTo(Fate.CARRIED_OUT);
    until(199);
    assertThat(faults.fate(Call.BLOB_PUT)).isEqualTo(Fate.THROTTLED);
    until(200);
    assertThat(faults.fate(Call.BLOB_PUT)).isEqualTo(Fate.CARRIED_OUT);
  }

  @Test
  void what_is_late_is_so_by_no_more_than_the_most() {
    Faults faults = faults(Lab.faults(0, 0, 0));
    long most = 0;
    for (int i = 0; i < DRAWS; i++) {
      long late = faults.lateness();
      assertThat(late).isBetween(1L, Lab.SECOND);
      most = Math.max(most, late);
    }
    assertThat(most).isGreaterThan(Lab.SECOND * 99 / 100);
  }

  @Test
  void odds_beyond_certainty_are_refused() {
    assertThatThrownBy(() -> new Odds(0.5, 0.5, 0.1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Odds(-0.1, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
