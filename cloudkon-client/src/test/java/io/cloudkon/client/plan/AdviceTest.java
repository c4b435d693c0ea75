package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceTest {
  private static Forecaster fleets(WorkloadSize load, BundlerSettings bundler) {
    PlanSettings usual = Made.question();
    PlanSettings question =
        new PlanSettings(
            usual.instance(),
            1,
            bundler,
            usual.consistency(),
            usual.claim(),
            usual.latencies(),
            usual.idleSeconds(),
            usual.seed());
    return new Forecaster(load, question, Made.PRICES, workers -> {});
  }

  @Test
  void more_threads_are_tried_where_the_client_limits_and_what_they_do_is_said() {
    BundlerSettings usual = BundlerSettings.DEFAULT;
    BundlerSettings single =
        new BundlerSettings(1, usual.targetMillis(), usual.maxBytes(), usual.mayWait());
    Forecaster fleets = fleets(Made.sleeps(5_000, 5), single);
    Forecast slow = fleets.of(50);
    assertThat(slow.limit()).isIn(Bottleneck.CLIENT_SENDS, Bottleneck.CLIENT_COLLECTS);

    Advice advice = Advice.find(fleets, List.of(slow)).orElseThrow();

    assertThat(advice.options()).matches("-t \\d+");
    assertThat(advice.fleet()).isEqualTo(slow);
    assertThat(advice.helps()).isTrue();
    assertThat(advice.with().makespanSeconds()).isLessThan(0.5 * slow.makespanSeconds());
  }

  @Test
  void nothing_is_tried_where_no_option_would_help() {
    Forecaster fleets = fleets(Made.sleeps(10, 5), BundlerSettings.DEFAULT);
    Forecast few = fleets.of(50);
    assertThat(few.limit()).isEqualTo(Bottleneck.FEWER_TASKS_THAN_SLOTS);

    assertThat(Advice.find(fleets, List.of(few))).isEmpty();
  }
}
