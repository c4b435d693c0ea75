package io.cloudkon.worker.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.worker.execute.Interruption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RunningTaskTest {
  private final RunningTask task = new RunningTasks().begin(new Interruption());

  @Test
  void task_that_has_ended_is_gone() throws Exception {
    task.close();

    assertThat(task.end("sick", 10_000)).isTrue();
  }

  @Test
  void task_that_ignores_its_kill_is_not_gone_when_its_slot_gives_it_up() throws Exception {
    task.runsOn();
    task.close();

    assertThat(task.end("sick", 10_000)).isFalse();
  }
}
