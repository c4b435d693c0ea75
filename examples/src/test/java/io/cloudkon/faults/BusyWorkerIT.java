package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handlers that compute without a pause, on as many slots as there are cores, and more. */
class BusyWorkerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int SLOTS = Runtime.getRuntime().availableProcessors() + 1;
  private static final long ENDLESS = Long.MAX_VALUE;

  @TempDir private Path folder;

  /** Whoever cannot renew its lease while it computes loses it, and kills what it computes. */
  @Test
  void worker_whose_slots_all_compute_keeps_its_lease_and_heeds_time_limits() throws Exception {
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker =
            new Recipe(cluster, folder).with("--lease", "15s").slots(SLOTS).start().awaitReady();
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.AT_MOST_ONCE,
                Collections.nCopies(SLOTS, "java pi 1 " + ENDLESS),
                Map.of(),
                "--bundle",
                "1",
                "--timeout",
                "30s")) {

      assertThat(client.awaitExit(LIMIT)).isEqualTo(1);
      assertThat(client.results().counts()).isEqualTo(Map.of("TIMED_OUT", (long) SLOTS));
      assertThat(client.results().byTask().values())
          .extracting((JsonNode result) -> result.get("attempt").asInt())
          .containsOnly(1);
      assertThat(worker.alive()).isTrue();
    }
  }
}
