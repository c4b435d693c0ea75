package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerEntry;
import org.junit.jupiter.api.Test;

/** Workers whose slots are busy with shipped files, which is no duration of a task. */
class StagingWorkersTest {
  private final Scene scene = new Scene();

  @Test
  void time_in_which_all_slots_prepare_files_is_no_duration_of_a_task() {
    scene.run("r", 100_000, 0).byHand("w").busy("w", 2, 2).look();

    for (int i = 0; i < 12; i++) {
      assertThat(scene.later(5_000).look().launch()).isZero();
    }
    assertThat(scene.reason()).contains("how long they will take is not known yet");
  }

  @Test
  void time_of_unfinished_tasks_is_counted_from_the_end_of_the_preparation() {
    scene.run("r", 100, 0).byHand("w").busy("w", 2, 2).look();
    scene.later(60_000).look();
    scene.busy("w", 2, 0).look();
    assertThat(scene.later(10_000).look().launch()).isZero();

    for (int i = 0; i < 4; i++) {
      scene.later(10_000).look();
    }
    // 100 tasks of 60 s at least, and 600 s of slots within the target.
    assertThat(scene.later(10_000).look().launch()).isEqualTo(9);
  }

  @Test
  void slots_that_prepare_files_do_not_make_the_reported_tasks_longer() {
    scene.run("r", 3_000, 0).byHand("w");
    scene.later(60_000);
    scene.workers.replaceAll((id, w) -> ReportedWorker.of(w, 2, 1.0));
    scene.busy("w", 2, 1);

    // 1 slot does 1 task a second: 1 s each, and 600 of them within the target for each worker.
    assertThat(scene.look().launch()).isEqualTo(4);
  }

  @Test
  void only_slots_that_prepare_nothing_run_a_task() {
    WorkerEntry worker = scene.byHand("w").busy("w", 2, 1).workers.get("w");

    assertThat(worker.running()).isEqualTo(1);
    // The two numbers are not read at the same instant.
    assertThat(scene.busy("w", 1, 2).workers.get("w").running()).isZero();
  }
}
