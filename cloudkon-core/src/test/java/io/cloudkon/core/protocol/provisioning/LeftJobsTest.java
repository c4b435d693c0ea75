package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** HPC jobs of runs that no client collects, and of runs that launched workers may not take. */
class LeftJobsTest {
  private final Scene scene = new Scene();

  private Scene left(String id, int jobs, int widest, Work.Kind... kinds) {
    RemainingWork frozen = new RemainingWork(0, 0, jobs, widest, Set.of(kinds));
    return scene.run(id, RunEntry.State.OPEN, 0, jobs, 0, frozen);
  }

  private void waits(String job, int ranks) {
    scene.waiting.add(new Waiting(job, ranks, 1, "w", Long.MAX_VALUE));
  }

  @Test
  void widest_job_gets_its_workers_while_no_worker_takes_jobs() {
    left("r", 5, 8);
    scene.jobs = new QueueDepth(5, 0, 0);
    assertThat(scene.look().launch()).isEqualTo(4);

    WorkerTakes tasks = WorkerTakes.ALL.withoutJobs();
    scene.worker("w", "", "worker", "", tasks, 0, 0);
    assertThat(scene.later(5_000).look().launch()).isEqualTo(4);
  }

  @Test
  void widest_job_may_be_done_for_long_once_a_worker_takes_jobs() {
    left("r", 5, 16).byHand("w");
    scene.jobs = new QueueDepth(4, 1, 0);

    FleetPlan plan = scene.look();

    assertThat(plan.seen()).contains("5 HPC jobs");
    assertThat(plan.launch()).isZero();
  }

  @Test
  void job_that_waits_for_slots_gets_what_it_lacks_whoever_collects_its_run() {
    left("r", 5, 16).byHand("w");
    scene.jobs = new QueueDepth(4, 1, 0);
    waits("r/epoch/3", 6);

    assertThat(scene.look().launch()).isEqualTo(2);
  }

  @Test
  void waiting_job_is_not_judged_by_the_kinds_of_the_other_work_of_its_run() {
    scene.takes = Scene.only(Work.Kind.EXEC);
    left("r", 5, 16, Work.Kind.EXEC, Work.Kind.JAVA).byHand("w");
    waits("r/epoch/3", 6);
    assertThat(scene.look().launch()).isEqualTo(2);

    scene.takes = Scene.only(Work.Kind.SLEEP);
    FleetPlan plan = scene.restarted().look();
    assertThat(plan.launch()).isZero();
  }

  @Test
  void waiting_job_that_has_its_workers_wants_no_more_of_them() {
    scene.takes = Scene.only(Work.Kind.EXEC);
    left("r", 5, 16, Work.Kind.EXEC, Work.Kind.JAVA);
    waits("r/epoch/3", 2);
    scene.worker("w", "", "worker", "", Scene.only(Work.Kind.EXEC), 0, 0);

    assertThat(scene.look().launch()).isZero();
  }

  @Test
  void jobs_that_launched_workers_may_not_run_launch_nothing_and_are_named() {
    scene.takes = Scene.only(Work.Kind.SLEEP);
    left("dead", 5, 8, Work.Kind.EXEC);
    scene.jobs = new QueueDepth(5, 0, 0);

    FleetPlan plan = scene.look();

    assertThat(plan.launch()).isZero();
    assertThat(plan.held())
        .containsExactly(
            "run dead needs exec, and launched workers run sleep only (--worker-allow)");
  }

  @Test
  void old_count_of_such_jobs_does_not_hide_a_job_that_launched_workers_may_run() {
    scene.takes = Scene.only(Work.Kind.SLEEP);
    left("dead", 5, 8, Work.Kind.EXEC);
    left("detached", 1, 4, Work.Kind.SLEEP);
    scene.jobs = new QueueDepth(3, 0, 0);

    FleetPlan plan = scene.look();

    assertThat(plan.seen()).contains("1 HPC job,");
    assertThat(plan.launch()).isEqualTo(2);
  }

  @Test
  void waiting_job_that_launched_workers_may_not_run_launches_nothing() {
    scene.takes = Scene.only(Work.Kind.SLEEP);
    scene.run("exec", 1, new RemainingWork(0, 0, 1, 6, Set.of(Work.Kind.EXEC))).byHand("w");
    waits("exec/epoch/0", 6);
    assertThat(scene.look().launch()).isZero();

    scene.run("sleep", 1, new RemainingWork(0, 0, 1, 6, Set.of(Work.Kind.SLEEP)));
    waits("sleep/epoch/0", 6);
    assertThat(scene.look().launch()).isEqualTo(2);
  }
}
