package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step of the policy growth that cannot be launched when it is due. */
class QueueGrowthTest {
  private final Scene scene = new Scene();

  @BeforeEach
  void grows_by_steps_of_two() {
    scene.policy = new Policy.Growth(10, 2);
  }

  private void depth(int messages) {
    scene.requests = new QueueDepth(messages, 0, 0);
  }

  /** Two workers boot, and a second step is due within the cool-down. */
  private void secondStepIsDueTooEarly() {
    scene.cooldown = 30_000;
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);
    scene.launched("t1", "i1", "i2").later(5_000);
    depth(40);
    assertThat(scene.look().launch()).isZero();
  }

  @Test
  void step_that_the_cool_down_prevents_is_launched_after_it() {
    secondStepIsDueTooEarly();

    FleetPlan waiting = scene.later(5_000).look();
    assertThat(waiting.launch()).isZero();
    assertThat(waiting.fleet().reason())
        .isEqualTo(
            "40 tasks are unfinished; 2 workers of the last step are still missing; the cool-down"
                + " has not ended: next try in 20 s");
    assertThat(scene.later(20_000).look().launch()).isEqualTo(2);
  }

  @Test
  void steps_that_are_missed_do_not_add_up() {
    secondStepIsDueTooEarly();
    depth(60);
    scene.later(5_000).look();

    assertThat(scene.later(20_000).look().launch()).isEqualTo(2);
  }

  @Test
  void step_is_dropped_when_the_queues_shrink() {
    secondStepIsDueTooEarly();
    depth(39);
    scene.later(5_000).look();

    assertThat(scene.later(20_000).look().launch()).isZero();
  }

  @Test
  void rest_of_a_step_is_launched_when_only_a_part_was_granted() {
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);
    LaunchedInstance granted =
        new LaunchedInstance("i1", "t1", "type", "spot", State.PENDING, scene.now);
    Failure refused = new Failure(Failure.Kind.CAPACITY, "UnfulfillableCapacity", "");
    scene
        .machine()
        .launched(2, true, new Launch(List.of(granted), List.of(refused)), scene.moment());
    scene.launched("t1", "i1");

    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  @Test
  void step_whose_decision_could_not_be_written_is_decided_again() {
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);

    assertThat(scene.later(5_000).look().launch()).isEqualTo(2);
  }

  /** A single message can be in flight for hours, and nothing is left for the others. */
  @Test
  void workers_that_end_for_lack_of_work_are_not_launched_again() {
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);
    scene.launched("t1", "i1", "i2").worker("i1", "t1").worker("i2", "t1");
    assertThat(scene.later(5_000).look().launch()).isZero();

    scene.workers.remove("i2");

    assertThat(scene.later(5_000).look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isZero();
    assertThat(scene.reason())
        .isEqualTo("11 tasks are unfinished; the queues did not grow by more than 10 messages");
  }

  @Test
  void worker_that_ends_before_the_last_one_of_its_step_is_live_is_not_launched_again() {
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);
    scene.launched("t1", "i1", "i2").worker("i1", "t1", "worker", "", WorkerTakes.ALL, 0, 1);
    assertThat(scene.later(5_000).look().launch()).isZero();

    scene.workers.remove("i1");
    scene.instance("i1", "t1", State.ENDED);

    assertThat(scene.later(5_000).look().launch()).isZero();
    assertThat(scene.later(20_000).look().launch()).isZero();
    scene.worker("i2", "t1");
    assertThat(scene.later(5_000).look().launch()).isZero();
  }

  @Test
  void worker_that_never_registers_is_replaced() {
    depth(11);
    assertThat(scene.look().launch()).isEqualTo(2);
    scene.launched("t1", "i1", "i2").worker("i1", "t1");
    scene.instance("i1", "t1", State.RUNNING).instance("i2", "t1", State.RUNNING);
    assertThat(scene.later(5_000).look().launch()).isZero();

    assertThat(scene.later(300_000).look().launch()).isEqualTo(1);
  }
}
