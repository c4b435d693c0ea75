package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guards;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred times, where commands are spawned. */
@Tag("slow")
class WorkerDeathStormTest {
  private static final int TIMES = 100;

  @TempDir Path temp;

  @Test
  void workers_that_are_killed_in_the_midst_of_a_burst_leave_nobody() throws Exception {
    new WorkerBurst(Guards.SPAWN, temp).kill(TIMES);
  }

  @Test
  void worker_that_is_frozen_in_the_midst_of_a_burst_loses_all_its_commands() throws Exception {
    new WorkerBurst(Guards.SPAWN, temp).freeze(TIMES);
  }
}
