package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C in the middle of a run. */
class ClientInterruptIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int TASKS = 50;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void client_that_is_interrupted_says_what_is_outstanding_and_leaves_its_queue(String signal)
      throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                Collections.nCopies(TASKS, "sleep 60s"),
                Map.of(),
                "--bundle",
                "1",
                "--run-id",
                "interrupted")) {
      await().atMost(LIMIT).until(() -> cluster.messages() == TASKS);
      client.signal(signal);

      assertThat(client.awaitExit(Duration.ofSeconds(5))).isEqualTo(130);
      assertThat(client.stderr().lines())
          .singleElement()
          .asString()
          .contains("50 of 50 tasks sent, 0 finished", "interrupted");
      assertThat(cluster.responseQueues()).hasSize(1);
      assertThat(cluster.messages()).isEqualTo(TASKS);
    }
  }
}
