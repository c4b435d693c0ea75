package io.cloudkon.client.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.testing.ManualTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterStatusTest {
  private static final FinishedTasks FIVE = new FinishedTasks(5, 0, 0);

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");

  /** It leaves them out of its own entry first. */
  @Test
  void tasks_that_a_worker_hands_in_meanwhile_are_not_counted_twice() {
    long now = Clusters.NOW;
    assertThat(cluster.runs().create(Clusters.run("r1", State.OPEN, now - 5_000, 100, 60, 0)))
        .isTrue();
    WorkerEntry worker = Clusters.worker("w1", 4, 0);
    cluster.workers().put(Clusters.finished(worker, Map.of("r1", FIVE)));
    Cluster handingIn =
        Intercepted.runs(
            cluster,
            (method, arguments, call) -> {
              if (method.equals("list")) {
                cluster.workers().put(worker);
                assertThat(cluster.runs().handIn("r1", FIVE)).isTrue();
              }
              return call.make();
            });

    ClusterStatus status = ClusterStatus.read(handingIn, now);

    assertThat(status.progress(status.runs().getFirst()).finished()).isEqualTo(5);
  }
}
