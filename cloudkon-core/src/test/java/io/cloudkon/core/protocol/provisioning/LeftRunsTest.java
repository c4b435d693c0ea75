package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs that no client collects: their counts are frozen, and the depth speaks for them. */
class LeftRunsTest {
  private final Scene scene = new Scene();

  @Test
  void run_that_nobody_collects_counts_by_the_depth() {
    RemainingWork frozen = new RemainingWork(100, 1e6, 0, 0, Set.of());
    scene.run("r", RunEntry.State.OPEN, 0, 1_000_000, 999_000, frozen);
    assertThat(scene.look().launch()).isZero();

    // 300 bundles of 10 tasks of a second.
    scene.requests = new QueueDepth(0, 300, 0);
    assertThat(scene.look().launch()).isEqualTo(5);
  }

  @Test
  void messages_of_unknown_runs_start_one_worker() {
    scene.requests = new QueueDepth(5_000, 0, 0);

    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void messages_of_a_cancelled_run_start_one_worker_at_most() {
    RemainingWork left = new RemainingWork(5_000, 1e6, 0, 0, Set.of());
    scene.run("gone", RunEntry.State.CANCELLED, 0, 50_000, 0, left);
    scene.run("left", RunEntry.State.OPEN, 0, 50_000, 0, left);
    scene.requests = new QueueDepth(5_000, 0, 0);

    assertThat(scene.look().launch()).isEqualTo(1);
  }

  @Test
  void idle_workers_show_that_the_rest_of_the_depth_is_hidden_or_old() {
    RemainingWork frozen = new RemainingWork(5_000, 1e6, 0, 0, Set.of());
    scene.run("r", RunEntry.State.OPEN, 0, 50_000, 0, frozen).byHand("w");
    scene.requests = new QueueDepth(0, 5_000, 0);

    assertThat(scene.later(30_000).look().launch()).isZero();
    assertThat(scene.reason())
        .isEqualTo(
            "50,000 tasks are unfinished according to the queue, but workers have free slots, so no"
                + " more workers are wanted");
  }

  private Scene left(String id, Work.Kind kind, long bundles) {
    RemainingWork frozen = new RemainingWork(bundles, 1e6, 0, 0, Set.of(kind));
    return scene.run(id, RunEntry.State.OPEN, 0, bundles, 0, frozen);
  }

  @Test
  void old_count_of_a_run_that_cannot_be_taken_does_not_hide_the_messages_of_one_that_can() {
    scene.takes = Scene.only(Work.Kind.SLEEP);
    left("dead", Work.Kind.EXEC, 1_000);
    left("detached", Work.Kind.SLEEP, 500);
    scene.requests = new QueueDepth(500, 0, 0);

    FleetPlan plan = scene.look();
    assertThat(plan.launch()).isEqualTo(1);
    assertThat(plan.seen()).startsWith("1 task,");
  }

  @Test
  void count_of_a_run_that_cannot_be_taken_launches_nothing() {
    scene.takes = Scene.only(Work.Kind.SLEEP);
    left("dead", Work.Kind.EXEC, 1_000);
    scene.requests = new QueueDepth(500, 0, 0);
    assertThat(scene.look().launch()).isZero();

    left("detached", Work.Kind.SLEEP, 500);
    scene.requests = new QueueDepth(0, 0, 0);
    assertThat(scene.look().launch()).isZero();
  }

  @Test
  void resumed_run_whose_client_still_collects_what_waited_counts_by_the_depth() {
    RemainingWork catchingUp = new RemainingWork(100, 1e6, 0, 0, Set.of()).counted(false);
    scene.run("r", RunEntry.State.OPEN, Long.MAX_VALUE, 200, 0, catchingUp);
    assertThat(scene.look().launch()).isZero();

    scene.requests = new QueueDepth(100, 0, 0);
    assertThat(scene.look().launch()).isEqualTo(1);

    scene.requests = new QueueDepth(0, 0, 0);
    scene.run("r", RunEntry.State.OPEN, Long.MAX_VALUE, 200, 0, catchingUp.counted(true));
    assertThat(scene.look().seen()).startsWith("200 tasks,");
  }

  @Test
  void messages_that_a_client_sent_since_it_wrote_its_run_are_not_counted_again() {
    scene.run("r", 1_500, new RemainingWork(3, 1e6, 0, 0, Set.of()));
    scene.requests = new QueueDepth(10, 0, 0);

    assertThat(scene.look().seen()).startsWith("1,500 tasks,");
  }

  @Test
  void messages_of_cancelled_runs_alone_launch_nothing() {
    RemainingWork cancelled = new RemainingWork(400, 1e6, 2, 4, Set.of());
    scene.run("gone", RunEntry.State.CANCELLED, 0, 400, 0, cancelled);
    scene.requests = new QueueDepth(400, 0, 0);
    scene.jobs = new QueueDepth(2, 0, 0);
    assertThat(scene.look().launch()).isZero();
    assertThat(scene.later(1_000_000).look().launch()).isZero();

    scene.requests = new QueueDepth(401, 0, 0);
    assertThat(scene.look().launch()).isEqualTo(1);
  }
}
