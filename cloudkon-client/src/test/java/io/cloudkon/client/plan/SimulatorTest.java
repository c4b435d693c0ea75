package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Consistency;
import org.junit.jupiter.api.Test;

class SimulatorTest {
  private final Simulator simulator = new Simulator(Made.question());

  @Test
  void every_task_is_simulated_where_there_are_few() {
    Simulated run = simulator.run(Made.sleeps(2_000, 20), 2);

    assertThat(run.tasks()).isEqualTo(2_000);
    assertThat(run.shortened()).isFalse();
    assertThat(run.seen().makespanSeconds()).isBetween(5.0, 6.0);
    assertThat(run.seen().calls().get("dynamodb.UpdateItem").count()).isGreaterThan(100);
    assertThat(run.seen().sendsBusy(2)).isBetween(0.0, 0.5);
  }

  @Test
  void sample_comes_out_near_the_whole() {
    Simulated all = simulator.run(Made.sleeps(20_000, 20), 2);
    Simulated some = simulator.run(Made.sleeps(20_000, 5_000, 20), 2);

    assertThat(some.tasks()).isEqualTo(5_000);
    double seconds = all.seen().makespanSeconds();
    assertThat(some.seen().makespanSeconds()).isCloseTo(seconds, within(0.02 * seconds));
    double calls = all.seen().calls().get("sqs.SendMessageBatch").count();
    assertThat(some.seen().calls().get("sqs.SendMessageBatch").count())
        .isCloseTo(calls, within(0.1 * calls));
  }

  @Test
  void long_tasks_are_simulated_shorter_and_come_out_long() {
    // 100 h of work, for 40 slots
    Simulated run = simulator.run(Made.sleeps(10_000, 36_000_000), 10);

    assertThat(run.shortened()).isTrue();
    assertThat(run.seen().makespanSeconds()).isCloseTo(250 * 36_000, within(9_000.0));
    // each bundle's claim is renewed every 5 s
    assertThat(run.seen().calls().get("dynamodb.UpdateItem").count()).isGreaterThan(60e6);
  }

  @Test
  void same_seed_shows_the_same() {
    assertThat(simulator.run(Made.sleeps(500, 20), 3))
        .isEqualTo(simulator.run(Made.sleeps(500, 20), 3));
  }

  @Test
  void without_claims_there_are_no_calls_for_them() {
    PlanSettings question = Made.question();
    Simulator free =
        new Simulator(
            new PlanSettings(
                question.instance(),
                question.threads(),
                question.bundler(),
                Consistency.AT_LEAST_ONCE,
                question.claim(),
                question.latencies(),
                60,
                1));
    double claimed =
        simulator.run(Made.sleeps(2_000, 20), 2).seen().calls().get("dynamodb.UpdateItem").count();

    assertThat(
            free.run(Made.sleeps(2_000, 20), 2).seen().calls().get("dynamodb.UpdateItem").count())
        .isLessThan(claimed / 5);
  }
}
