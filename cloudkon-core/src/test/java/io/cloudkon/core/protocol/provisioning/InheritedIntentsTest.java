package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import org.junit.jupiter.api.Test;

/** An intent of an earlier provisioner that takes all the room, and of which there is no trace. */
class InheritedIntentsTest {
  private static final long HOUR = 3_600_000;
  private static final String UNKNOWN =
      ", counting 3 workers of earlier launches whose outcome is not known yet";

  private final Scene scene = new Scene();

  InheritedIntentsTest() {
    scene.max = 3;
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3);
  }

  @Test
  void is_replaced_at_once_if_the_lease_before_ended_more_than_the_boot_timeout_ago() {
    scene.leaseBefore = Scene.START + 15_000;

    assertThat(scene.later(HOUR).look().closed()).extracting(Decision::token).containsExactly("t1");
    assertThat(scene.later(5_000).look().launch()).isEqualTo(3);
  }

  @Test
  void is_closed_when_what_was_tried_at_the_end_of_the_lease_would_be_listed() {
    scene.leaseBefore = Scene.START + HOUR - 20_000;
    assertThat(scene.later(HOUR).look().closed()).isEmpty();

    // a call of the lease's last moment may last a minute: until this look, at most
    assertThat(scene.later(299_999).restarted().look().closed()).isEmpty();
    assertThat(scene.later(40_001).look().closed()).hasSize(1);
  }

  @Test
  void is_the_reason_that_is_given_as_long_as_it_takes_the_room() {
    FleetPlan plan = scene.later(HOUR).look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason()).endsWith("the maximum of 3 workers is reached" + UNKNOWN);
    assertThat(plan.held()).containsExactly("the maximum of 3 workers is reached" + UNKNOWN);
  }

  @Test
  void is_the_reason_that_is_given_as_long_as_the_price_limit_counts_it() {
    scene.max = 100;
    scene.price = 1;
    scene.maxHourly = 3;

    assertThat(scene.later(HOUR).look().held())
        .containsExactly(
            "another worker at 1.000 USD an hour would exceed --max-hourly 3.000" + UNKNOWN);
  }

  @Test
  void leaves_its_messages_to_be_counted_as_growth() {
    scene.max = 10;
    scene.policy = new Policy.Growth(10, 2);
    scene.requests = new QueueDepth(40, 0, 0);
    scene.runs.clear();

    FleetPlan plan = scene.later(HOUR).look();

    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().reason()).isEqualTo("the queues grew by 40 messages to 40 messages");
  }
}
