package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.WorkerTakes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Launches that may bring instances of 2 or of 16 slots; which, is known once they are listed. */
class InstanceSizesTest {
  private final Scene scene = new Scene();

  InstanceSizesTest() {
    scene.max = 100;
    scene.typeSlots = Map.of("small", 2, "large", 16);
  }

  @Test
  void work_gets_no_more_workers_than_would_do_if_all_were_large() {
    scene.run("r", 9_600, 1); // 32 slots for five minutes
    assertThat(scene.look().launch()).isEqualTo(2);

    scene.launched("t1", "i1", "i2");
    assertThat(scene.later(5_000).look().launch()).as("not listed yet").isZero();

    scene.instance("i1", "t1", "large", State.PENDING).instance("i2", "t1", "large", State.PENDING);
    assertThat(scene.later(5_000).look().launch()).isZero();
  }

  @Test
  void small_workers_are_followed_by_others_as_soon_as_they_are_listed() {
    scene.run("r", 9_600, 1).look();
    scene.launched("t1", "i1", "i2");
    scene.instance("i1", "t1", "small", State.PENDING).instance("i2", "t1", "large", State.PENDING);

    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  @Test
  void gang_on_small_workers_wants_all_that_it_needs() {
    scene.run("r", 1, new RemainingWork(0, 0, 1, 6, Set.of()));
    scene.worker("tasks only", "", "worker", "", WorkerTakes.ALL.withoutJobs(), 0, 0);
    List.of("a", "b", "c", "d").forEach(scene::byHand);

    FleetPlan plan = scene.look();

    assertThat(plan.fleet().wanted()).isEqualTo(3);
    assertThat(plan.fleet().reason())
        .isEqualTo("a job of 6 ranks needs 3 workers at the same time");
  }

  @Test
  void gang_gets_all_its_slots_in_the_end() {
    scene.run("r", 1, new RemainingWork(0, 0, 1, 20, Set.of()));
    assertThat(scene.look().launch()).isEqualTo(2);

    scene.launched("t1", "i1", "i2");
    scene.instance("i1", "t1", "small", State.RUNNING).instance("i2", "t1", "small", State.RUNNING);
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);

    scene.launched("t2", "i3").instance("i3", "t2", "large", State.RUNNING);
    assertThat(scene.later(5_000).look().launch()).isZero();
  }
}
