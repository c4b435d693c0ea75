package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A slot that was given many short tasks at a time, of which one is not short. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerChunkTest {
  /** So many that the worker's estimate does not look at the second one. */
  private static final int TASKS = 400;

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void long_task_holds_back_neither_results_nor_tasks_of_its_chunk(Consistency mode)
      throws Exception {
    try (WorkerBed bed = new WorkerBed(Misbehaviour.none(), mode, LeaseSettings.DEFAULT, temp)) {
      List<Work> works = new ArrayList<>(Collections.nCopies(TASKS, new Work.Sleep(0)));
      works.set(1, new Work.JavaCall("witness", List.of(bed.name(1), "deaf")));
      bed.sendWork(works, 0);
      bed.worker();
      try {
        await().atMost(30, TimeUnit.SECONDS).until(() -> bed.resultsSoFar() == TASKS - 1);
        assertThat(bed.starts(1)).isEqualTo(1);
      } finally {
        Witness.release(bed.name(1));
      }

      assertThat(bed.awaitResults().values())
          .allSatisfy(result -> assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED));
      assertThat(bed.starts(1)).isEqualTo(1);
    }
  }
}
