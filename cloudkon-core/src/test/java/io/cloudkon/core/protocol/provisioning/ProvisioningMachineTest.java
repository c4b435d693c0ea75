package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProvisioningMachineTest {
  private final Scene scene = new Scene();

  @Test
  void empty_cluster_wants_nothing() {
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().wanted()).isZero();
    assertThat(plan.fleet().reason()).isEqualTo("nothing waits");
  }

  @Test
  void known_work_gets_as_many_workers_as_finish_it_within_the_target() {
    FleetPlan plan = scene.run("r", 1_500, 1).look();

    assertThat(plan.launch()).isEqualTo(3);
    assertThat(plan.fleet().wanted()).isEqualTo(3);
    assertThat(plan.fleet().reason())
        .isEqualTo(
            "1,500 tasks are unfinished, about 25 min of work: 3 workers would empty the backlog"
                + " within 5 min");
  }

  @Test
  void more_slots_than_tasks_are_never_asked_for() {
    assertThat(scene.run("r", 3, 10_000).look().launch()).isEqualTo(2);
  }

  @Test
  void tasks_longer_than_the_target_are_said_to_be_and_not_emptied_within_it() {
    assertThat(scene.run("r", 1, 3_600).reason())
        .isEqualTo(
            "1 task is unfinished, about 60 min of work: 1 worker has slots for all at the same"
                + " time, and one alone takes longer than 5 min");
    assertThat(scene.run("r", 2, 300).reason())
        .endsWith(": 1 worker would empty the backlog within 5 min");
  }

  @Test
  void unknown_duration_starts_one_worker_in_all() {
    scene.run("r", 1_000_000, 0);

    assertThat(scene.look().launch()).isEqualTo(1);
    assertThat(scene.launched("t1", "i1").look().launch()).isZero();
    assertThat(scene.later(5_000).worker("i1", "t1").look().launch()).isZero();
    assertThat(scene.reason())
        .isEqualTo(
            "1,000,000 tasks are unfinished; how long they will take is not known yet, so no more"
                + " workers are wanted");
  }

  @Test
  void duration_of_a_run_without_results_comes_from_what_workers_report() {
    scene.run("r", 6_000, 0).worker("w", "");
    scene.later(60_000);
    scene.workers.replaceAll((id, w) -> ReportedWorker.of(w, 2, 2.0));

    // 2 busy slots do 2 tasks a second: 1 s each.
    assertThat(scene.look().launch()).isEqualTo(9);
  }

  @Test
  void tasks_that_run_for_long_take_at_least_that_long() {
    scene.run("r", 100, 0).worker("w", "", "worker", "", WorkerTakes.ALL, 2, 0).look();
    assertThat(scene.later(10_000).look().launch()).isZero();

    // 100 tasks of 60 s at least, and 600 s of slots within the target.
    scene.later(10_000).look();
    scene.later(10_000).look();
    scene.later(10_000).look();
    scene.later(10_000).look();
    assertThat(scene.later(10_000).look().launch()).isEqualTo(9);
  }

  @Test
  void what_boots_counts_as_there() {
    scene.run("r", 1_500, 1).launched("t1", "i1", "i2");
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().booting()).isEqualTo(2);
    assertThat(plan.fleet().bootingSince()).isEqualTo(Scene.START);
  }

  @Test
  void intended_decision_boots_whoever_looks() {
    scene.run("r", 1_500, 1).decision("t1", Decision.State.INTENDED, 3);

    assertThat(scene.look().launch()).isZero();
    FleetPlan plan = scene.restarted().later(299_000).look();
    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().booting()).isEqualTo(3);
    assertThat(plan.closed()).isEmpty();
  }

  @Test
  void intended_decision_whose_workers_came_counts_each_once() {
    scene.run("r", 1_500, 1).decision("t1", Decision.State.INTENDED, 3).worker("i1", "t1");
    FleetPlan plan = scene.look();

    assertThat(plan.fleet().booting()).isEqualTo(2);
    assertThat(plan.fleet().live()).isEqualTo(1);
    assertThat(plan.launch()).isZero();
  }

  @Test
  void decision_is_closed_when_all_of_it_came_up() {
    scene.run("r", 1_500, 1).launched("t1", "i1", "i2").worker("i1", "t1");
    assertThat(scene.look().closed()).isEmpty();

    scene.worker("i2", "t1");
    assertThat(scene.look().closed())
        .singleElement()
        .satisfies(closed -> assertThat(closed.state()).isEqualTo(Decision.State.CLOSED))
        .satisfies(closed -> assertThat(closed.error()).isEmpty());
  }

  @Test
  void worker_that_came_and_went_does_not_boot_again() {
    scene.run("r", 1_500, 1).launched("t1", "i1", "i2").worker("i1", "t1").look();
    scene.workers.clear();
    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.fleet().booting()).isEqualTo(1);
    assertThat(plan.fleet().failures()).doesNotContainKey("ended-before-registering");
  }

  @Test
  void worker_that_does_not_know_its_instance_stands_for_one_of_its_launch() {
    scene.run("r", 1_500, 1).launched("t1", "i1", "i2").worker("other", "t1");
    FleetPlan plan = scene.later(300_000).look();

    assertThat(plan.terminate()).isEmpty();
    assertThat(plan.fleet().live()).isEqualTo(1);
  }

  @Test
  void worker_that_does_not_come_up_is_ended_replaced_and_counted() {
    scene.run("r", 300, 1).launched("t1", "i1");
    assertThat(scene.later(299_000).look().terminate()).isEmpty();

    FleetPlan plan = scene.later(1_000).look();
    assertThat(plan.terminate()).containsExactly("i1");
    assertThat(plan.closed().getFirst().error()).isEqualTo("1 of 1 did not register");
    assertThat(plan.fleet().failures()).containsEntry("boot-timeout", 1L);
    assertThat(plan.fleet().booting()).isZero();
    assertThat(scene.later(10_000).look().launch()).isEqualTo(1);
  }

  @Test
  void decision_carried_out_late_boots_from_its_answer() {
    scene.run("r", 300, 1).decision("t1", Decision.State.INTENDED, 1).look();
    scene.later(400_000);
    Decision intent = scene.launches.get("t1");
    scene.launches.put("t1", intent.launched(List.of("i1"), "", scene.now));

    assertThat(scene.look().terminate()).isEmpty();
    assertThat(scene.later(300_000).look().terminate()).containsExactly("i1");
  }

  @Test
  void live_run_speaks_for_its_bundles_and_the_depth_for_the_rest() {
    scene.run("r", 600, new RemainingWork(60, 1e6, 0, 0, Set.of()));
    scene.requests = new QueueDepth(50, 10, 0);
    scene.look();
    assertThat(scene.later(60_000).look().launch()).isEqualTo(1);

    scene.requests = new QueueDepth(100, 20, 0);
    scene.later(5_000).look();
    scene.later(15_000).look();
    // 60 bundles of 10 tasks more; how long those take is not known.
    assertThat(scene.look().seen()).startsWith("1,200 tasks");
  }

  @Test
  void tasks_that_a_client_holds_back_call_for_workers_as_if_they_were_sent() {
    RemainingWork whole = new RemainingWork(60, 1e6, 0, 0, Set.of());
    Scene sent = new Scene();
    sent.requests = new QueueDepth(60, 0, 0);
    int launched = sent.run("r", 6_000, whole).look().launch();

    // In a fair cluster without a worker, one bundle of the same run is in the queue.
    RemainingWork fair =
        new RemainingWork(1, 1e6, 0, 0, Set.of()).with(Optional.of(Priority.NORMAL));
    scene.run("r", 6_000, fair);
    RunEntry all = scene.runs.get("r");
    scene.runs.put(
        "r", all.with(all.state(), all.leaseEnd(), 6_000, 10, Map.of(), all.updatedMillis()));
    scene.requests = new QueueDepth(1, 0, 0);

    assertThat(launched).isGreaterThan(1);
    assertThat(scene.look().launch()).isEqualTo(launched);
  }

  @Test
  void depth_that_is_older_than_the_runs_adds_nothing() {
    scene.run("r", 600, new RemainingWork(600, 1e6, 0, 0, Set.of()));
    scene.requests = new QueueDepth(600, 0, 0);
    scene.look();
    scene.run(
        "r",
        RunEntry.State.OPEN,
        Long.MAX_VALUE,
        600,
        590,
        new RemainingWork(10, 1e6, 0, 0, Set.of()));

    assertThat(scene.later(30_000).look().seen()).startsWith("10 tasks");
    scene.runs.clear();
    assertThat(scene.later(5_000).look().launch()).isZero();
  }

  @Test
  void gang_without_a_worker_gets_all_its_workers_at_once() {
    scene.run("r", 1, new RemainingWork(1, 0, 1, 6, Set.of()));
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(3);
    assertThat(plan.fleet().reason())
        .isEqualTo("a job of 6 ranks needs 3 workers at the same time");
  }

  @Test
  void gang_that_waits_gets_what_it_lacks() {
    scene.waiting.add(new Waiting("j", 6, 1, "w", Long.MAX_VALUE));
    scene.byHand("w").launched("t1", "i1");
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason())
        .isEqualTo("a job of 6 ranks needs 3 workers at the same time");
  }

  @Test
  void gang_whose_waiting_lease_is_over_is_not_there() {
    scene.waiting.add(new Waiting("j", 6, 1, "w", Scene.START - 1));

    assertThat(scene.look().launch()).isZero();
  }

  @Test
  void gang_wider_than_the_fleet_may_be_gets_one_worker_that_refuses_it() {
    scene.max = 3;
    scene.run("r", 1, new RemainingWork(1, 0, 1, 8, Set.of()));
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason())
        .contains(
            "a job of 8 ranks is larger than the fleet may be (6 slots with --max 3): a worker"
                + " refuses it");
    assertThat(scene.byHand("w").look().launch()).isZero();
  }

  @Test
  void workers_that_take_no_jobs_do_not_count_for_gangs() {
    WorkerTakes tasks = new WorkerTakes(Set.of(Work.Kind.values()), true, false);
    scene.worker("w", "", "worker", "", tasks, 0, 0);
    scene.run("r", 1, new RemainingWork(1, 0, 1, 2, Set.of()));

    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void work_that_nobody_may_take_launches_nothing_and_is_named() {
    scene.takes = Scene.only(Work.Kind.NOOP, Work.Kind.SLEEP);
    scene.run("r7", 1_500, new RemainingWork(10, 1e6, 0, 0, Set.of(Work.Kind.EXEC)));
    scene.requests = new QueueDepth(10, 0, 0);
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().reason())
        .isEqualTo(
            "nothing waits; run r7 needs exec, and launched workers run noop, sleep only"
                + " (--worker-allow)");
  }

  @Test
  void tasks_launch_nothing_where_workers_take_jobs_only() {
    scene.takes = new WorkerTakes(Set.of(Work.Kind.values()), false, true);

    assertThat(scene.run("r7", 1_500, 1).look().launch()).isZero();
    assertThat(scene.reason()).contains("run r7 has tasks", "--worker-roles");
  }

  @Test
  void live_workers_of_another_kind_do_not_stand_for_those_that_are_missing() {
    scene.worker("w", "", "worker", "", Scene.only(Work.Kind.NOOP), 0, 0);
    scene.run("r", 10, new RemainingWork(1, 1e6, 0, 0, Set.of(Work.Kind.EXEC)));

    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void minimum_is_launched_without_work() {
    scene.min = 2;
    FleetPlan plan = scene.byHand("w").look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().reason()).isEqualTo("nothing waits; the minimum is 2 workers");
  }

  @Test
  void maximum_counts_all_that_live_or_boot() {
    scene.max = 4;
    scene.run("r", 1_000_000, 1).byHand("w").launched("t1", "i1");
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().wanted()).isEqualTo(4);
    assertThat(plan.fleet().reason()).endsWith("the maximum of 4 workers is reached");
  }

  @Test
  void workers_that_leave_are_replaced_as_far_as_there_is_room() {
    scene.max = 3;
    scene.run("r", 1_200, 1);
    scene.worker("w1", "", "worker", "rebalance", WorkerTakes.ALL, 2, 9).byHand("w2");
    assertThat(scene.look().launch()).isEqualTo(1);

    scene.max = 2;
    assertThat(scene.restarted().reason())
        .contains("1 worker is about to leave", "replaced only when they are gone");
  }

  @Test
  void price_an_hour_limits_the_fleet() {
    scene.price = 0.1;
    scene.maxHourly = 0.3;
    scene.run("r", 1_000_000, 1).launched("t1", "i1");
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().usdPerHour()).isEqualTo(0.1);
    assertThat(plan.fleet().reason()).contains("--max-hourly 0.300");
  }

  @Test
  void cool_down_separates_two_launches_also_after_a_restart() {
    scene.cooldown = 30_000;
    scene.run("r", 1_500, 1).launched("t1", "i1");
    assertThat(scene.later(29_000).look().launch()).isZero();
    assertThat(scene.reason()).endsWith("the cool-down has not ended: next try in 1 s");
    assertThat(scene.restarted().look().launch()).isZero();

    assertThat(scene.later(1_000).look().launch()).isEqualTo(2);
  }

  @Test
  void growth_launches_a_step_for_each_interval_that_grew() {
    scene.policy = new Policy.Growth(10, 2);
    scene.requests = new QueueDepth(11, 0, 0);
    assertThat(scene.look().launch()).isEqualTo(2);
    scene.launched("t1", "i1", "i2").requests = new QueueDepth(21, 0, 0);
    assertThat(scene.later(5_000).look().launch()).isZero();
    scene.requests = new QueueDepth(20, 20, 0);

    FleetPlan plan = scene.later(5_000).look();
    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().reason()).isEqualTo("the queues grew by 19 messages to 40 messages");
  }

  @Test
  void growth_counts_the_first_reading_from_zero_but_not_again_after_a_restart() {
    scene.policy = new Policy.Growth(0, 2);
    scene.requests = new QueueDepth(100, 0, 0);
    assertThat(scene.look().launch()).isEqualTo(2);

    assertThat(scene.launched("t1", "i1", "i2").restarted().look().launch()).isZero();
  }

  @Test
  void growth_starts_a_worker_for_work_that_does_not_grow() {
    scene.policy = new Policy.Growth(1_000, 2);
    scene.requests = new QueueDepth(5, 0, 0);

    assertThat(scene.look().launch()).isEqualTo(1);
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  // ---- intents that are old

  @Test
  void intent_of_long_ago_that_nobody_needs_is_closed_as_never_launched() {
    scene.decision("t1", Decision.State.INTENDED, 3);

    FleetPlan soon = scene.later(299_999).restarted().look();
    assertThat(soon.again()).hasSize(1);
    FleetPlan plan = scene.later(1).restarted().look();

    assertThat(plan.again()).isEmpty();
    assertThat(plan.withdraw()).extracting(Decision::token).containsExactly("t1");
    // the provisioner before may have tried until a moment ago
    assertThat(plan.closed()).isEmpty();
    assertThat(scene.later(299_999).look().closed()).isEmpty();
    assertThat(scene.later(1).look().closed())
        .singleElement()
        .satisfies(closed -> {
          assertThat(closed.state()).isEqualTo(Decision.State.CLOSED);
          assertThat(closed.error()).isEqualTo("none of its workers was ever seen");
        });
  }

  @Test
  void intent_of_long_ago_that_is_larger_than_what_is_needed_is_decided_anew() {
    scene.run("r", 300, 1).decision("t1", Decision.State.INTENDED, 3);

    FleetPlan plan = scene.later(300_000).restarted().look();

    assertThat(plan.again()).isEmpty();
    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void intent_that_was_tried_again_is_not_closed_before_its_instances_would_be_listed() {
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3);
    assertThat(scene.later(299_000).look().again()).hasSize(1);
    scene.runs.clear();

    FleetPlan plan = scene.later(2_000).look();

    assertThat(plan.withdraw()).hasSize(1);
    assertThat(plan.closed()).isEmpty();
    assertThat(scene.later(298_000).look().closed()).isEmpty();
    assertThat(scene.later(2_000).look().closed()).hasSize(1);
  }

  @Test
  void intent_of_which_some_came_long_ago_keeps_no_room() {
    scene.max = 3;
    scene.run("r", 300, 1).decision("t1", Decision.State.INTENDED, 3).worker("i1", "t1");
    scene.worker("by hand", "");
    FleetPlan full = scene.look();
    assertThat(full.fleet().booting()).isEqualTo(2);
    assertThat(full.again()).isEmpty(); // no room

    FleetPlan plan = scene.later(300_000).look();

    assertThat(plan.fleet().booting()).isZero();
    assertThat(plan.again()).extracting(Decision::token).containsExactly("t1");
  }

  @Test
  void withdrawn_intent_hides_no_other_that_is_not_needed() {
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3);
    scene.decision("t2", Decision.State.INTENDED, 3).look();
    assertThat(scene.later(300_000).look().withdraw())
        .extracting(Decision::token)
        .containsExactly("t2");
    scene.runs.clear();

    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.again()).isEmpty();
    assertThat(plan.withdraw()).extracting(Decision::token).containsExactlyInAnyOrder("t1", "t2");
  }

  @Test
  void withdrawn_intent_whose_instance_shows_up_counts_again() {
    scene.decision("t1", Decision.State.INTENDED, 1);
    assertThat(scene.later(300_000).look().withdraw()).hasSize(1);

    FleetPlan plan = scene.worker("i1", "t1").later(300_000).look();

    assertThat(plan.withdraw()).isEmpty();
    assertThat(plan.closed()).noneMatch(closed -> closed.error().contains("ever seen"));
    assertThat(plan.fleet().live()).isEqualTo(1);
  }

  @Test
  void intent_of_an_earlier_provisioner_is_decided_anew_after_the_boot_timeout_if_it_is_needed() {
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3);

    FleetPlan plan = scene.later(3 * 3_600_000).restarted().look();

    // the same call would be answered with instances that may have ended hours ago
    assertThat(plan.again()).isEmpty();
    assertThat(plan.withdraw()).extracting(Decision::token).containsExactly("t1");
    assertThat(plan.fleet().booting()).isZero();
    assertThat(plan.launch()).isEqualTo(3);
  }

  @Test
  void own_intent_that_stays_without_an_answer_is_carried_out_for_as_long_as_it_is_needed() {
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3).look();

    FleetPlan plan = scene.later(3 * 3_600_000).look();

    assertThat(plan.again()).hasSize(1);
    assertThat(plan.launch()).isZero();
  }

  @Test
  void room_of_an_intent_that_is_decided_anew_is_kept_until_its_instances_would_be_listed() {
    scene.max = 4;
    scene.run("r", 1_800, 1).decision("t1", Decision.State.INTENDED, 3).later(3_600_000);

    assertThat(scene.look().launch()).isEqualTo(1);
    assertThat(scene.later(300_000).look().closed()).hasSize(1);
    assertThat(scene.later(5_000).look().launch()).isEqualTo(3);
  }

  @Test
  void intent_of_long_ago_of_which_something_came_is_made_again() {
    scene.decision("t1", Decision.State.INTENDED, 3).instance("i1", "t1", State.RUNNING);

    assertThat(scene.later(300_000).restarted().look().again()).hasSize(1);
  }
}
