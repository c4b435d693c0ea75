package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerTakes;
import org.junit.jupiter.api.Test;

/** Tasks behind gangs that have all slots. */
class GangWorkersTest {
  private final Scene scene = new Scene();

  private Scene gang(String id, String role, int busy, long tasksDone) {
    return scene.worker(id, "", role, "", WorkerTakes.ALL, busy, tasksDone);
  }

  @Test
  void tasks_behind_a_gang_that_has_all_slots_for_long_get_one_worker_more() {
    scene.run("r", 100_000, 0);
    gang("a", "manager", 2, 0);
    gang("b", "sub-worker", 2, 0);
    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(10_000).look().launch()).isZero();
    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason())
        .isEqualTo(
            "100,000 tasks are unfinished, and HPC jobs have had all slots for 15 s: one more"
                + " worker is wanted");
    assertThat(scene.launched("t1", "i1").look().launch()).isZero();
    assertThat(scene.worker("i1", "t1").later(60_000).look().launch()).isZero();
  }

  @Test
  void known_work_behind_a_gang_gets_a_worker_although_the_slots_would_do() {
    scene.run("r", 300, 1);
    gang("a", "manager", 2, 0).look();

    assertThat(scene.later(15_000).look().launch()).isEqualTo(1);
  }

  @Test
  void worker_that_has_a_slot_left_or_finishes_tasks_serves_them() {
    scene.run("r", 100_000, 0);
    gang("a", "manager", 1, 0).look();
    assertThat(scene.later(20_000).look().launch()).isZero();

    gang("a", "manager", 2, 0).look();
    gang("a", "manager", 2, 1).later(14_000).look();
    assertThat(scene.later(10_000).look().launch()).isZero();
  }

  @Test
  void gang_with_all_slots_launches_nothing_where_no_task_waits() {
    gang("a", "manager", 2, 0).look();

    assertThat(scene.later(20_000).look().launch()).isZero();
  }
}
