package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A reason must not contradict what is done, and an obstacle is the same at each look. */
class ObstaclesTest {
  private final Scene scene = new Scene();

  @Test
  void reason_does_not_promise_a_worker_that_the_price_forbids() {
    scene.price = 0.5;
    scene.maxHourly = 0.2;
    scene.run("r", 1, new RemainingWork(1, 0, 0, 0, Set.of()));

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason())
        .isEqualTo(
            "1 task is unfinished; how long it will take is not known yet, so one worker is wanted"
                + " at first; another worker at 0.500 USD an hour would exceed --max-hourly 0.200");
    assertThat(plan.held())
        .containsExactly("another worker at 0.500 USD an hour would exceed --max-hourly 0.200");
  }

  @Test
  void reason_of_a_launch_says_what_one_more_would_cost() {
    scene.min = 2;
    scene.price = 0.5;
    scene.maxHourly = 0.7;

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason())
        .isEqualTo(
            "nothing waits; the minimum is 2 workers; one more at 0.500 USD an hour would exceed"
                + " --max-hourly 0.700");
  }

  @Test
  void gang_whose_workers_boot_is_the_reason_for_them() {
    scene.run("r", 1, new RemainingWork(1, 0, 1, 6, Set.of()));
    scene.launched("t1", "i1", "i2", "i3");

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().wanted()).isEqualTo(3);
    assertThat(plan.fleet().reason())
        .isEqualTo("a job of 6 ranks needs 3 workers at the same time");
  }

  @Test
  void first_worker_under_growth_is_not_explained_by_a_queue_that_did_not_grow() {
    scene.policy = new Policy.Growth(10, 2);
    scene.requests = new QueueDepth(1, 0, 0);

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason())
        .isEqualTo("1 task is unfinished, but no live or booting worker takes that");
  }

  @Test
  void obstacle_stays_the_same_while_its_time_runs_down() {
    scene.cooldown = 60_000;
    scene.run("r", 1_000, new RemainingWork(1_000, 1e6, 0, 0, Set.of()));
    scene.launched("t1", "i1");

    FleetPlan first = scene.later(1_000).look();
    FleetPlan second = scene.later(5_000).look();

    assertThat(first.fleet().reason()).isNotEqualTo(second.fleet().reason());
    assertThat(first.held()).containsExactly("the cool-down has not ended");
    assertThat(second.held()).isEqualTo(first.held());
  }
}
