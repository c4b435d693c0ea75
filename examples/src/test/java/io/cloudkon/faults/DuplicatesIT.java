package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every message is there twice when the workers come, and comes once more when all is done. */
class DuplicatesIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int BUNDLE = 20;
  private static final int TASKS = 15 * BUNDLE;
  private static final int MESSAGES = TASKS / BUNDLE + 1;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void message_that_comes_twice_and_again_gives_one_result_of_each_task(Consistency mode)
      throws Exception {
    Numbers numbers = new Numbers(folder);
    Gate gate = new Gate(folder);
    List<String> workload = new ArrayList<>(numbers.workload(TASKS, 2));
    workload.add(gate.task());
    try (TestCluster cluster = new TestCluster();
        ClientProcess client =
            ClientProcess.start(
                cluster, folder, mode, workload, Map.of(), "--bundle", Integer.toString(BUNDLE))) {
      await().atMost(LIMIT).until(() -> cluster.messages() == MESSAGES);
      List<OutgoingMessage> recorded = sendTwice(cluster.ports().requests());
      try (WorkerProcess one = worker(cluster, numbers);
          WorkerProcess other = worker(cluster, numbers)) {
        one.awaitReady();
        other.awaitReady();
        client.awaitFinished(TASKS, LIMIT);
        awaitOnlyTheGate(cluster);
        send(cluster.ports().requests(), recorded);
        awaitOnlyTheGate(cluster);
        gate.open();

        assertThat(client.awaitExit(LIMIT)).isZero();
        assertThat(one.alive() && other.alive()).isTrue();
        await().atMost(LIMIT).until(() -> cluster.messages() == 0);
      }
      assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", TASKS + 1L));
      assertThat(numbers.starts()).hasSize(TASKS);
      if (mode.claims()) {
        assertThat(numbers.starts().values()).containsOnly(1);
        assertThat(gate.started()).hasSize(1);
      } else {
        assertThat(numbers.starts().values()).allMatch(starts -> starts >= 3);
        assertThat(client.report().get("duplicatesDropped").asLong()).isGreaterThanOrEqualTo(TASKS);
      }
    }
  }

  /** Sends a copy of each message, and shows those that are there again. */
  private static List<OutgoingMessage> sendTwice(RequestQueue queue) throws InterruptedException {
    List<ReceivedMessage> there = new ArrayList<>();
    while (there.size() < MESSAGES) {
      there.addAll(queue.receive(10, Duration.ofSeconds(1), Duration.ofMinutes(5)));
    }
    List<OutgoingMessage> copies =
        there.stream()
            .map(message -> new OutgoingMessage(message.attributes(), message.payload()))
            .toList();
    send(queue, copies);
    there.forEach(message -> queue.changeVisibility(message.handle(), Duration.ZERO));
    return copies;
  }

  private static void send(RequestQueue queue, List<OutgoingMessage> messages) {
    messages.forEach(message -> assertThat(queue.send(List.of(message))).isEmpty());
  }

  /** Until nothing is left but copies of the one bundle that waits at the gate. */
  private static void awaitOnlyTheGate(TestCluster cluster) {
    await().atMost(LIMIT).until(() -> cluster.messages() <= 3);
  }

  private WorkerProcess worker(TestCluster cluster, Numbers numbers) {
    return new Recipe(cluster, folder).slots(4).with("--handlers", numbers.handlers()).start();
  }
}
