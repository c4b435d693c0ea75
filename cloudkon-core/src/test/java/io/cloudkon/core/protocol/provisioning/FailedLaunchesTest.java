package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.WorkerTakes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launches that fail, are refused, or bring workers that are of no use. */
class FailedLaunchesTest {
  private final Scene scene = new Scene();

  @Test
  void instances_that_end_before_they_register_are_tried_less_and_less_often() {
    scene.min = 3;
    scene.run("r", 1_500, 0);
    int started = 0;
    String reason = "";
    for (int second = 0; second < 60; second++) {
      FleetPlan plan = scene.look();
      reason = plan.fleet().reason();
      for (int i = 0; i < plan.launch(); i++) {
        String id = "i" + started++;
        scene.launched("t" + id, id).instance(id, "t" + id, State.ENDED);
      }
      scene.later(1_000);
    }

    assertThat(started).isEqualTo(5);
    assertThat(reason)
        .contains("3 launches failed (a worker ended before it registered): next try");
    assertThat(scene.look().fleet().failures()).containsEntry("ended-before-registering", 5L);
  }

  @Test
  void one_of_many_that_fails_is_replaced_at_once() {
    scene.run("r", 1_800, 1).launched("t1", "i1", "i2", "i3").worker("i1", "t1").worker("i2", "t1");
    scene.look();
    FleetPlan plan = scene.later(5_000).instance("i3", "t1", State.ENDED).look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.closed()).hasSize(1);
  }

  @Test
  void worker_that_dies_at_work_is_replaced_at_once_and_is_no_failed_launch() {
    scene.run("r", 300, 1).launched("t1", "i1");
    scene.worker("i1", "t1", "worker", "", WorkerTakes.ALL, 2, 0).look();
    FleetPlan plan = scene.later(5_000).instance("i1", "t1", State.ENDED).look();

    assertThat(plan.fleet().live()).isZero();
    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().failures()).isEmpty();
  }

  private List<Long> launchesOfFutileWorkers(long millis) {
    List<Long> launches = new ArrayList<>();
    for (long end = scene.now + millis; scene.now < end; scene.later(5_000)) {
      scene.workers.clear();
      if (scene.look().launch() > 0) {
        launches.add(scene.now - Scene.START);
        String id = "i" + launches.size();
        scene.launched("t" + id, id).later(5_000).worker(id, "t" + id).look();
      }
    }
    return launches;
  }

  @Test
  void workers_that_end_without_a_task_are_launched_less_and_less_often() {
    scene.run("r", 300, 0);

    assertThat(launchesOfFutileWorkers(400_000))
        .containsExactly(0L, 20_000L, 50_000L, 100_000L, 190_000L, 360_000L);
    assertThat(scene.reason())
        .contains(
            "came up and ended without completing a task, although work is waiting: next try in");
    assertThat(scene.look().fleet().failures()).containsEntry("no-task-done", 6L);
  }

  @Test
  void worker_that_idled_out_before_the_work_came_was_not_in_vain() {
    scene.run("r", 300, 0).launched("t1", "i1").worker("i1", "t1").look();
    scene.runs.clear();
    scene.later(5_000).look();
    scene.workers.clear();

    assertThat(scene.later(5_000).run("r2", 300, 0).look().launch()).isEqualTo(1);
  }

  private int launchesOfMinimum(long millis, long lives) {
    scene.min = 1;
    int started = 0;
    for (long end = scene.now + millis; scene.now < end; scene.later(1_000)) {
      if (scene.look().launch() > 0) {
        String id = "i" + ++started;
        scene.launched("t" + id, id).worker(id, "t" + id);
        for (long left = lives; left > 0; left -= 1_000) {
          scene.look();
          scene.later(1_000);
        }
        scene.instance(id, "t" + id, State.ENDED);
      }
    }
    return started;
  }

  @Test
  void workers_of_the_minimum_that_end_soon_are_launched_less_and_less_often() {
    assertThat(launchesOfMinimum(400_000, 3_000)).isLessThan(8);
    assertThat(scene.reason())
        .contains("without completing a task, although the minimum is not reached: next try in");
    assertThat(scene.look().fleet().failures()).containsKey("no-task-done");
  }

  @Test
  void workers_of_the_minimum_that_come_up_and_end_between_two_looks_were_in_vain() {
    assertThat(launchesOfMinimum(400_000, 0)).isLessThan(8);
  }

  @Test
  void worker_of_the_minimum_that_idled_for_long_is_replaced_at_once() {
    scene.min = 1;
    scene.look();
    scene.launched("t1", "i1").worker("i1", "t1").look();
    scene.later(300_000).look();
    scene.instance("i1", "t1", State.ENDED);

    assertThat(scene.later(1_000).look().launch()).isEqualTo(1);
    assertThat(scene.look().fleet().failures()).isEmpty();
  }

  @Test
  void idle_worker_of_the_minimum_that_was_preempted_is_replaced_at_once() {
    scene.min = 1;
    scene.look();
    scene.launched("t1", "i1").worker("i1", "t1").look();
    scene.worker("i1", "t1", "worker", "interruption", WorkerTakes.ALL, 0, 0).later(5_000).look();
    scene.instance("i1", "t1", State.ENDED);

    assertThat(scene.later(1_000).look().fleet().failures()).isEmpty();
  }

  @Test
  void worker_beyond_the_minimum_that_idles_out_was_not_in_vain() {
    scene.min = 1;
    scene.look();
    scene.launched("t1", "i1", "i2").worker("i1", "t1").worker("i2", "t1").look();
    scene.workers.remove("i2");
    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.fleet().failures()).isEmpty();
  }

  @Test
  void instances_of_an_earlier_provisioner_that_ended_are_no_failed_launches() {
    scene.run("r", 900, 1).launched("t1", "i1", "i2");
    scene.instance("i1", "t1", State.ENDED).instance("i2", "t1", State.ENDED);
    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().failures()).isEmpty();
    assertThat(plan.closed().getFirst().error())
        .isEqualTo(
            "2 of 2 ended, launched by provisioner holder: whether they registered is not known");
  }

  @Test
  void instances_of_an_earlier_provisioner_that_ended_long_ago_are_no_failed_launches() {
    scene.run("r", 900, 1).launched("t1", "i1", "i2").later(2 * 3_600_000);
    FleetPlan plan = scene.run("r", 900, 1).look();

    assertThat(plan.launch()).isEqualTo(2);
    assertThat(plan.fleet().failures()).isEmpty();
    assertThat(plan.closed().getFirst().error())
        .isEqualTo(
            "2 of 2 ended, launched by provisioner holder: whether they registered is not known");
  }

  @Test
  void new_run_ends_the_wait_after_futile_workers() {
    scene.run("r", 300, 0);
    launchesOfFutileWorkers(220_000);
    assertThat(scene.look().launch()).isZero();

    assertThat(scene.run("r2", 1, 0).look().launch()).isEqualTo(1);
  }

  @Test
  void worker_that_does_a_task_ends_the_wait() {
    scene.run("r", 1_200, 1);
    scene.launched("t1", "i1").worker("i1", "t1").look();
    scene.workers.clear();
    assertThat(scene.later(5_000).look().launch()).isZero();
    assertThat(scene.later(10_000).look().launch()).isEqualTo(1);
    scene.launched("t2", "i2").worker("i2", "t2", "worker", "", WorkerTakes.ALL, 2, 1);

    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
    assertThat(scene.look().launch()).isEqualTo(1);
  }

  private void refused(Failure.Kind kind, String code) {
    Launch answer = new Launch(List.of(), List.of(new Failure(kind, code, "sorry")));
    scene.machine().launched(2, true, answer, scene.moment());
  }

  @Test
  void refusal_for_want_of_capacity_holds_back_shortly() {
    scene.run("r", 600, 1).look();
    refused(Failure.Kind.CAPACITY, "InsufficientInstanceCapacity");

    assertThat(scene.look().launch()).isZero();
    assertThat(scene.reason())
        .endsWith("the launcher refused (InsufficientInstanceCapacity: sorry): next try in 5 s");
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
    assertThat(scene.look().fleet().failures()).containsEntry("InsufficientInstanceCapacity", 1L);
  }

  @Test
  void refusal_for_quota_or_configuration_is_not_repeated_every_interval() {
    scene.run("r", 600, 1).look();
    refused(Failure.Kind.QUOTA, "VcpuLimitExceeded");
    assertThat(scene.later(55_000).look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
    refused(Failure.Kind.CONFIGURATION, "UnauthorizedOperation");

    assertThat(scene.later(595_000).look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  /** A job of 12 ranks waits, of whose six workers a quota allows one. */
  private FleetPlan refusedFor(long millis) {
    scene.run("r", 1, job(12)).worker("i1", "t1");
    return refusals(millis);
  }

  private static RemainingWork job(int ranks) {
    return new RemainingWork(1, 0, 1, ranks, Set.of());
  }

  /** Refuses each launch by a quota. */
  private FleetPlan refusals(long millis) {
    return refusals(millis, Failure.Kind.QUOTA);
  }

  /** Refuses each launch for one of these reasons in turn. */
  private FleetPlan refusals(long millis, Failure.Kind... kinds) {
    long begun = scene.now;
    FleetPlan plan = scene.look();
    for (int tries = 0; scene.now - begun < millis; plan = scene.later(5_000).look()) {
      if (plan.launch() > 0) {
        refused(kinds[tries++ % kinds.length], "Refused");
      }
    }
    return plan;
  }

  @Test
  void job_that_capacity_keeps_from_starting_is_too_large_after_an_hour() {
    scene.run("r", 1, job(12)).worker("i1", "t1");

    assertThat(refusals(3_595_000, Failure.Kind.CAPACITY).fleet().reachable()).isEqualTo(20);
    assertThat(refusals(5_000, Failure.Kind.CAPACITY).fleet().reachable()).isEqualTo(2);
  }

  @Test
  void lack_of_capacity_between_refusals_of_a_quota_prolongs_nothing() {
    scene.run("r", 1, job(12)).worker("i1", "t1");

    FleetPlan plan = refusals(895_000, Failure.Kind.QUOTA, Failure.Kind.CAPACITY);
    assertThat(plan.fleet().reachable()).isEqualTo(20);

    plan = refusals(5_000, Failure.Kind.QUOTA, Failure.Kind.CAPACITY);
    assertThat(plan.fleet().reachable()).isEqualTo(2);
    assertThat(plan.fleet().refusal()).isEqualTo("Refused: sorry");
  }

  @Test
  void quota_that_was_raised_leaves_the_hour_to_a_lack_of_capacity() {
    scene.run("r", 1, job(12)).worker("i1", "t1");

    assertThat(refusals(5_000, Failure.Kind.QUOTA).fleet().refusal()).isEmpty();
    assertThat(refusals(3_590_000, Failure.Kind.CAPACITY).fleet().reachable()).isEqualTo(20);
    assertThat(refusals(5_000, Failure.Kind.CAPACITY).fleet().reachable()).isEqualTo(2);
  }

  @Test
  void quota_that_refuses_again_after_long_has_its_own_quarter_of_an_hour() {
    scene.run("r", 1, job(12)).worker("i1", "t1");
    refusals(5_000, Failure.Kind.QUOTA);
    refusals(1_195_000, Failure.Kind.CAPACITY);

    FleetPlan plan = refusals(900_000, Failure.Kind.QUOTA);

    assertThat(plan.fleet().reachable()).as("a few minutes are left").isEqualTo(20);
    assertThat(refusals(60_000, Failure.Kind.QUOTA).fleet().reachable()).isEqualTo(2);
  }

  @Test
  void calls_that_are_throttled_refuse_nothing() {
    scene.run("r", 1, job(12)).worker("i1", "t1");

    assertThat(refusals(4_000_000, Failure.Kind.THROTTLE).fleet().reachable()).isEqualTo(20);
  }

  @Test
  void job_that_a_quota_keeps_from_starting_is_too_large_after_a_quarter_of_an_hour() {
    assertThat(refusedFor(895_000).fleet().reachable()).isEqualTo(20);

    FleetPlan plan = refusedFor(5_000);

    assertThat(plan.fleet().reachable()).isEqualTo(2);
    assertThat(plan.fleet().refusal()).isEqualTo("Refused: sorry");
  }

  @Test
  void launch_that_works_ends_the_refusal_of_a_quota() {
    FleetPlan plan = refusedFor(1_000_000);
    assertThat(plan.fleet().reachable()).isEqualTo(2);
    for (int i = 0; i < 200 && plan.launch() == 0; i++) {
      plan = scene.later(5_000).worker("i1", "t1").look();
    }
    assertThat(plan.launch()).as("it is still tried").isPositive();
    Launch works = new Launch(List.of(granted("i2")), List.of());
    scene.machine().launched(plan.launch(), true, works, scene.moment());

    plan = scene.look();

    assertThat(plan.fleet().reachable()).isEqualTo(20);
    assertThat(plan.fleet().refusal()).isEmpty();
  }

  @Test
  void
      job_after_one_that_was_too_large_has_its_own_launch_at_once_and_its_own_quarter_of_an_hour() {
    assertThat(refusedFor(1_000_000).fleet().reachable()).isEqualTo(2);
    scene.runs.clear();
    assertThat(scene.later(5_000).look().fleet().refusal()).as("nobody lacks slots").isEmpty();

    scene.later(5_000).run("next", 1, job(12));

    assertThat(scene.look().launch()).as("a person may have raised the quota").isPositive();
    assertThat(refusals(895_000).fleet().reachable()).isEqualTo(20);
    assertThat(refusals(5_000).fleet().reachable()).isEqualTo(2);
  }

  @Test
  void worker_that_a_fleet_at_its_quota_loses_is_replaced_before_a_job_that_fitted_is_too_large() {
    scene.run("r", 12_000, 1);
    List.of("i1", "i2", "i3").forEach(id -> scene.worker(id, "t" + id).busy(id, 2, 0));
    refusals(1_000_000);
    scene.run("fits", 1, job(6));
    assertThat(scene.look().fleet().reachable()).isEqualTo(20);

    scene.workers.remove("i3");
    scene.instance("i3", "ti3", State.ENDED);
    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.launch()).as("the quota has room for one").isPositive();
    assertThat(plan.fleet().reachable()).isEqualTo(20);
  }

  @Test
  void refusals_before_a_worker_was_lost_do_not_count_for_a_job_that_lacks_it() {
    scene.worker("i2", "t2").busy("i2", 2, 0);
    assertThat(refusedFor(1_000_000).fleet().reachable()).isEqualTo(4);

    scene.workers.remove("i2");
    scene.instance("i2", "t2", State.ENDED);
    FleetPlan plan = scene.later(5_000).look();

    assertThat(plan.launch()).isPositive();
    assertThat(plan.fleet().reachable()).isEqualTo(20);
    assertThat(refusals(895_000).fleet().reachable()).isEqualTo(20);
    assertThat(refusals(5_000).fleet().reachable()).isEqualTo(2);
  }

  @Test
  void launch_whose_answer_is_awaited_starts_no_new_quarter_of_an_hour() {
    assertThat(refusedFor(1_000_000).fleet().reachable()).isEqualTo(2);
    scene.decision("t9", Decision.State.INTENDED, 5).later(5_000).look();
    scene.launches.remove("t9");

    assertThat(scene.later(5_000).look().fleet().reachable()).isEqualTo(2);
  }

  @Test
  void pool_that_is_wrong_does_not_prolong_the_wait_for_one_that_is_short() {
    scene.run("r", 600, 1).look();
    List<Failure> failures =
        List.of(
            new Failure(Failure.Kind.CONFIGURATION, "UnauthorizedOperation", "never"),
            new Failure(Failure.Kind.CAPACITY, "InsufficientInstanceCapacity", "sorry"));
    scene.machine().launched(2, true, new Launch(List.of(), failures), scene.moment());

    assertThat(scene.reason()).contains("InsufficientInstanceCapacity: sorry");
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  @Test
  void refusal_of_anothers_launch_holds_nothing_back() {
    scene.run("r", 600, 1).look();
    List<Failure> failures =
        List.of(new Failure(Failure.Kind.CONFIGURATION, "IdempotentParameterMismatch", "sorry"));
    scene.machine().launched(2, false, new Launch(List.of(), failures), scene.moment());

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().failures()).containsEntry("IdempotentParameterMismatch", 1L);
  }

  @Test
  void partial_grant_goes_on_after_a_short_wait() {
    scene.run("r", 1_200, 1).look();
    scene
        .machine()
        .launched(
            2,
            true,
            new Launch(
                List.of(granted("i1")),
                List.of(new Failure(Failure.Kind.CAPACITY, "UnfulfillableCapacity", ""))),
            scene.moment());
    scene.launched("t1", "i1");

    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }

  private LaunchedInstance granted(String id) {
    return new LaunchedInstance(id, "t1", "type", "spot", State.PENDING, scene.now);
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.Kind.class,
      names = {"CAPACITY", "QUOTA", "CONFIGURATION"})
  void pool_that_refuses_holds_nothing_back_while_there_are_others(Failure.Kind kind) {
    scene.run("r", 600, 1).look();
    List<Failure> failures = List.of(new Failure(kind, "Refused", "sorry"));
    scene.machine().launched(2, true, new Launch(List.of(), failures, true), scene.moment());

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.fleet().failures()).containsEntry("Refused", 1L);
  }

  @Test
  void throttled_launch_waits_although_there_are_other_pools() {
    scene.run("r", 600, 1).look();
    List<Failure> failures =
        List.of(new Failure(Failure.Kind.THROTTLE, "RequestLimitExceeded", "slow down"));
    scene.machine().launched(2, true, new Launch(List.of(), failures, true), scene.moment());

    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(5_000).look().launch()).isEqualTo(1);
  }
}
