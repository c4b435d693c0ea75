package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.LaunchedInstance;
import org.junit.jupiter.api.Test;

/** Workers that say nothing, and instances without a live worker. */
class SilentWorkersTest {
  private final Scene scene = new Scene();

  /** Three by hand, none of which could write for half a minute. */
  private Scene tableWasAway() {
    scene.min = 3;
    scene.max = 3;
    scene.byHand("a").byHand("b").byHand("c").now += 30_000;
    return scene;
  }

  @Test
  void takeover_after_an_outage_launches_nothing_beside_workers_that_write_again() {
    FleetPlan plan = tableWasAway().look();
    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason())
        .endsWith(
            "3 workers are silent but may be alive, because the table may have been unavailable:"
                + " next try in 7 s");

    scene.now += 5_000;
    scene.byHand("a").byHand("b").byHand("c");
    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isZero();
  }

  @Test
  void workers_that_do_not_write_again_after_an_outage_are_dead() {
    tableWasAway().look();
    scene.now += 6_000;
    assertThat(scene.look().launch()).isZero();
    scene.now += 1_000;

    assertThat(scene.look().launch()).isEqualTo(3);
  }

  @Test
  void workers_whose_instance_has_ended_hold_nothing_back() {
    scene.run("r", 300, 1).worker("i1", "t1").instance("i1", "t1", LaunchedInstance.State.ENDED);
    scene.now += 30_000;

    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void instances_without_a_live_worker_are_named_where_they_fill_the_maximum() {
    scene.max = 1;
    scene.run("r", 300, 1).worker("i1", "t1").instance("i1", "t1", LaunchedInstance.State.RUNNING);
    scene.look();
    for (int i = 0; i < 6; i++) {
      scene.silent("i1", 5_000).look();
    }
    FleetPlan plan = scene.look();

    assertThat(plan.fleet().reason())
        .endsWith(
            "the maximum of 1 worker is reached, including 1 that is not alive but has not ended"
                + " yet");
    assertThat(plan.seen()).contains("0 live, 0 booting, 1 launched and not live, 0 of 0");
  }

  @Test
  void instance_without_a_live_worker_is_paid_for_until_it_is_being_ended() {
    scene.price = 0.1;
    scene.worker("i1", "t1").instance("i1", "t1", LaunchedInstance.State.RUNNING);
    assertThat(scene.look().fleet().usdPerHour()).isEqualTo(0.1);
    for (int i = 0; i < 6; i++) {
      scene.silent("i1", 5_000).look();
    }
    FleetPlan silent = scene.look();
    assertThat(silent.fleet().live()).isZero();
    assertThat(silent.fleet().usdPerHour()).isEqualTo(0.1);

    scene.instance("i1", "t1", LaunchedInstance.State.ENDING);
    assertThat(scene.look().fleet().usdPerHour()).isZero();
  }

  @Test
  void instance_whose_worker_did_not_register_is_paid_for_until_it_is_being_ended() {
    scene.price = 0.1;
    scene.launched("t1", "i1").instance("i1", "t1", LaunchedInstance.State.RUNNING);
    assertThat(scene.look().fleet().usdPerHour()).isEqualTo(0.1);

    FleetPlan overdue = scene.later(300_000).look();
    assertThat(overdue.terminate()).containsExactly("i1");
    assertThat(overdue.fleet().booting()).isZero();
    assertThat(overdue.fleet().usdPerHour()).isEqualTo(0.1);

    scene.instance("i1", "t1", LaunchedInstance.State.ENDING);
    assertThat(scene.look().fleet().usdPerHour()).isZero();
  }

  @Test
  void instance_that_is_being_ended_leaves_no_room_until_it_is_gone() {
    scene.max = 1;
    scene
        .run("r", 300, 1)
        .launched("t1", "i1")
        .instance("i1", "t1", LaunchedInstance.State.RUNNING);
    assertThat(scene.later(300_000).look().terminate()).containsExactly("i1");
    scene.instance("i1", "t1", LaunchedInstance.State.ENDING);
    assertThat(scene.later(10_000).look().launch()).isZero();

    scene.instance("i1", "t1", LaunchedInstance.State.ENDED);
    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void workers_that_fell_silent_after_a_time_without_looks_are_not_presumed_dead() {
    scene.run("r", 1_500, 1).byHand("a").byHand("b").byHand("c").look();
    scene.now += 60_000;
    assertThat(scene.look().launch()).isZero();

    scene.now += 5_000;
    assertThat(scene.look().launch()).isZero();
    scene.now += 14_000;
    scene.look();
    scene.now += 5_000;
    assertThat(scene.look().launch()).isEqualTo(3);
  }

  @Test
  void workers_that_fell_silent_while_this_machine_slept_are_not_presumed_dead() {
    scene.run("r", 1_500, 1).byHand("a").byHand("b").byHand("c").look();
    for (int i = 0; i < 12; i++) {
      assertThat(scene.later(5_000).look().launch()).isZero();
    }
    scene.sleep(46_000).now += 7_000;
    assertThat(scene.look().launch()).isZero();

    scene.now += 5_000;
    scene.byHand("a").byHand("b").byHand("c");
    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(20_000).look().launch()).isZero();
  }

  @Test
  void instance_whose_worker_is_silent_leaves_no_room_and_is_ended_in_the_end() {
    scene.max = 1;
    scene.run("r", 300, 1).worker("i1", "t1").instance("i1", "t1", LaunchedInstance.State.RUNNING);
    for (int i = 0; i < 8; i++) {
      assertThat(scene.look().launch()).isZero();
      scene.silent("i1", 5_000);
    }
    for (int i = 0; i < 56; i++) {
      assertThat(scene.look().terminate()).isEmpty();
      scene.later(5_000);
    }
    assertThat(scene.look().terminate()).containsExactly("i1");
  }

  @Test
  void instance_whose_silent_worker_is_being_ended_leaves_no_room_until_it_is_gone() {
    scene.max = 1;
    scene.run("r", 300, 1).worker("i1", "t1").instance("i1", "t1", LaunchedInstance.State.RUNNING);
    for (int i = 0; i < 64; i++) {
      scene.look();
      scene.silent("i1", 5_000);
    }
    assertThat(scene.look().terminate()).containsExactly("i1");
    scene.instance("i1", "t1", LaunchedInstance.State.ENDING);
    FleetPlan plan = scene.later(5_000).look();
    assertThat(plan.launch()).isZero();
    assertThat(plan.terminate()).isEmpty();
    scene.later(5_000).instance("i1", "t1", LaunchedInstance.State.ENDED);

    assertThat(scene.look().launch()).isEqualTo(1);
  }
}
