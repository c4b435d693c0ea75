package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.handler.TaskHandler;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One task that halts its worker's JVM, among a thousand good ones. */
@Tag("slow")
class PoisonIT {
  private static final int GOOD = 1000;
  private static final int MILLIS = 5;
  private static final int BEFORE = 500;
  private static final String POISON = Integer.toString(BEFORE + 1);
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  private TestCluster cluster;
  private Numbers numbers;

  @BeforeEach
  void setUp() {
    cluster = new TestCluster();
    numbers = new Numbers(folder);
    HandlerJar.write(
        Path.of(numbers.handlers()).resolve("halt.jar"), TaskHandler.class, HaltHandler.class);
  }

  @AfterEach
  void tearDown() {
    cluster.close();
  }

  @Test
  void task_that_halts_its_worker_fails_alone_with_the_reason_and_is_kept() throws Exception {
    List<String> workload = new ArrayList<>(numbers.workload(GOOD, MILLIS));
    workload.add(BEFORE, "java halt");
    Recipe recipe = new Recipe(cluster, folder).with("--handlers", numbers.handlers()).slots(2);

    try (Fleet fleet = new Fleet(recipe, 2);
        ClientProcess client =
            ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, workload, Map.of())) {
      long begun = System.nanoTime();
      await()
          .atMost(LIMIT)
          .until(() -> {
            fleet.fill();
            return !client.alive();
          });

      System.out.printf("ended after %s%n", Duration.ofNanos(System.nanoTime() - begun));
      assertThat(client.awaitExit(Duration.ofSeconds(1))).as(client.said()).isEqualTo(1);
      Results results = client.results();
      assertThat(results.counts()).isEqualTo(Map.of("SUCCEEDED", (long) GOOD, "FAILED", 1L));
      assertThat(results.tasks("FAILED")).containsExactly(POISON);
      JsonNode poison = results.byTask().get(POISON);
      assertThat(poison.get("error").asText()).contains("worker died", "5 times");
      assertThat(numbers.starts()).hasSize(GOOD);
      assertPoisonIsKept();
    }
  }

  private void assertPoisonIsKept() throws Exception {
    List<ReceivedMessage> letters =
        cluster.ports().dead().receive(10, Duration.ofSeconds(1), Duration.ofSeconds(30));
    assertThat(letters).hasSize(1);
    Bundle kept = BundleCodec.decode(letters.getFirst().payload());
    assertThat(kept.tasks()).extracting(Task::id).containsExactly(POISON);
    assertThat(letters.getFirst().attributes().get(OutgoingMessage.REASON)).contains("died");
  }
}
