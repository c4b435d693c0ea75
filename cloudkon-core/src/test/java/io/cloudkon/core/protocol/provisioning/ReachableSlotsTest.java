package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs that are too large for launched workers alone, or for what there may be of them. */
class ReachableSlotsTest {
  private final Scene scene = new Scene();

  private Scene job(int ranks) {
    return scene.run("r", 1, new RemainingWork(1, 0, 1, ranks, Set.of()));
  }

  @Test
  void small_workers_by_hand_take_places_of_larger_ones() {
    scene.max = 3;
    scene.slots = 4;
    FleetPlan plan = job(12).byHand("a").byHand("b").look();

    // 2 + 2, and one more of 4: a live worker refuses it.
    assertThat(plan.fleet().reachable()).isEqualTo(8);
    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason())
        .contains(
            "a job of 12 ranks is larger than the fleet may be (8 slots with --max 3): a worker");
    assertThat(job(8).look().launch()).isEqualTo(1);
  }

  @Test
  void price_an_hour_limits_how_large_a_job_may_be() {
    scene.price = 0.1;
    scene.maxHourly = 0.3;
    FleetPlan plan = job(8).worker("i1", "t1").look();

    // One that is paid for, and two more.
    assertThat(plan.fleet().reachable()).isEqualTo(6);
    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason())
        .contains(
            "larger than the fleet may be (6 slots with --max 10 and --max-hourly): a worker");
    assertThat(job(6).look().launch()).isEqualTo(2);
  }

  @Test
  void large_worker_by_hand_counts_with_all_its_slots() {
    scene.max = 3;
    FleetPlan plan = job(20).byHand("w", 16).look();

    assertThat(plan.fleet().reachable()).isEqualTo(20);
    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().reason())
        .isEqualTo("a job of 20 ranks needs 3 workers at the same time");
  }

  @Test
  void workers_that_leave_or_take_no_jobs_have_no_slots_for_them() {
    WorkerTakes tasks = new WorkerTakes(Set.of(Work.Kind.values()), true, false);
    scene.max = 4;
    scene.worker("a", "", "worker", "", tasks, 0, 0);
    scene.worker("b", "", "draining", "", WorkerTakes.ALL, 0, 0);

    assertThat(scene.look().fleet().reachable()).isEqualTo(6);
  }

  @Test
  void workers_by_hand_beyond_the_maximum_count_and_nothing_may_be_launched() {
    scene.max = 1;

    assertThat(scene.byHand("a").byHand("b").look().fleet().reachable()).isEqualTo(4);
  }
}
