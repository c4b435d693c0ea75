package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.SlotTimes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs with tasks and HPC jobs, which take different times. */
class MixedRunTest {
  private final Scene scene = new Scene();

  /** Tasks of a second beside a job of four ranks that takes an hour on each. */
  private static RemainingWork beside(int jobs) {
    return new RemainingWork(100, new SlotTimes(1e6, 4 * 3600e6), jobs, 4, Set.of());
  }

  @Test
  void long_job_does_not_make_short_tasks_look_long() {
    scene.max = 1_000;
    scene.run("r", 1_001, beside(1));

    FleetPlan plan = scene.look();

    // 1,000 s of tasks and 14,400 s of the job, in 300 s on two slots
    assertThat(plan.launch()).isEqualTo(26);
  }

  @Test
  void job_that_is_done_leaves_the_tasks_as_short_as_they_are() {
    assertThat(scene.run("r", 1_500, beside(0)).look().launch()).isEqualTo(3);
  }

  @Test
  void unknown_time_of_a_job_is_not_that_of_a_task() {
    RemainingWork shortTasks = new RemainingWork(100, 1e6, 4, 2, Set.of());

    assertThat(scene.run("r", 604, shortTasks).reason()).contains("about 10 min of work");
  }

  @Test
  void jobs_of_a_run_that_nobody_collects_are_not_among_the_tasks_of_its_bundles() {
    RemainingWork frozen = new RemainingWork(10, new SlotTimes(1e6, 3600e6), 50, 2, Set.of());
    scene.run("r", RunEntry.State.OPEN, 0, 150, 0, frozen);
    scene.requests = new QueueDepth(10, 0, 0);

    assertThat(scene.look().seen()).startsWith("100 tasks,");
  }

  @Test
  void jobs_that_were_not_sent_are_not_among_what_is_out() {
    RemainingWork frozen = new RemainingWork(10, new SlotTimes(1e6, 3600e6), 80, 2, Set.of());
    scene.run("r", RunEntry.State.OPEN, 0, 150, 0, frozen);
    // Of 50 that were not sent, at most 50 are jobs: 30 jobs and 70 tasks were.
    scene.runs.computeIfPresent(
        "r", (id, run) -> run.with(RunEntry.State.OPEN, 0, 150, 100, Map.of(), scene.now));
    scene.requests = new QueueDepth(10, 0, 0);

    assertThat(scene.look().seen()).startsWith("70 tasks,");
  }
}
