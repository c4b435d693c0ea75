package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerProcessTest {
  @Test
  void worker_says_how_many_slots_it_has() {
    assertThat(WorkerProcess.greeting("w", 1, "q"))
        .isEqualTo("cloudkon worker w: 1 slot on queue q");
    assertThat(WorkerProcess.greeting("w", 8, "q"))
        .isEqualTo("cloudkon worker w: 8 slots on queue q");
  }
}
