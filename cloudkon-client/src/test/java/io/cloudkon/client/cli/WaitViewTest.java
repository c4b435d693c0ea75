package io.cloudkon.client.cli;

import static io.cloudkon.client.status.Clusters.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.runs.RunWait;
import io.cloudkon.client.status.Clusters;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitViewTest {
  private static final String HINT =
      "no worker is alive; the tasks are waiting. Start one with: cloudkon worker -s Q";

  private final ManualTime time = new ManualTime();
  private final List<String> said = new ArrayList<>();
  private final WaitView view = new WaitView(new MemoryCloud(time).setup("Q"), time, said::add);

  private void look(boolean waits, boolean anyWorker) {
    RunEntry run = Clusters.run("r", RunEntry.State.OPEN, NOW, 10, 10, 0);
    view.looked(new RunWait.Look(run, RunProgress.of(run, List.of(), NOW), waits, anyWorker));
  }

  @Test
  void missing_worker_is_told_once_until_one_has_come() {
    for (int i = 0; i < 20; i++) {
      look(true, false);
    }
    assertThat(said).containsExactly(HINT);

    look(true, true);
    look(true, false);
    assertThat(said).containsExactly(HINT, HINT);
  }

  @Test
  void nothing_is_told_where_no_task_waits_or_a_worker_lives() {
    look(false, false);
    look(true, true);

    assertThat(said).isEmpty();
  }
}
