package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RunEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A run that uses all there is to leave behind: its commands find a shipped folder, some print more
 * than a message holds, and most wait at a gate.
 */
final class GatedRun {
  static final int TASKS = 16;

  /** The first ones do not wait, and print the large file. */
  private static final int FREE = 4;

  /** These print it behind the gate. */
  private static final int LARGE = 10;

  private static final int LARGE_BYTES = 3 << 19;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final String id;
  private final Path home;
  private final Path temporary;
  private final Gate gate;
  private final Marked commands;

  /** Nothing of it is sent yet. */
  GatedRun(TestCluster cluster, Path folder, String id) throws IOException {
    this.cluster = cluster;
    this.id = id;
    this.home = Files.createDirectory(folder.resolve(id));
    this.temporary = Files.createDirectory(home.resolve("tmp"));
    this.gate = new Gate(home);
    this.commands = new Marked("CLOUDKON_RUN", id);
    Path data = Files.createDirectory(home.resolve("data"));
    Files.writeString(data.resolve("large"), "x".repeat(LARGE_BYTES));
    Files.writeString(data.resolve("small"), "here");
  }

  private List<String> workload() {
    List<String> lines = new ArrayList<>(Collections.nCopies(FREE, "exec cat data/large"));
    lines.addAll(Collections.nCopies(LARGE - FREE, gate.task() + "; cat data/large"));
    lines.addAll(Collections.nCopies(TASKS - LARGE, gate.task() + "; cat data/small"));
    return lines;
  }

  /** The tasks that wait at the gate. */
  static Set<String> gated() {
    return IntStream.rangeClosed(FREE + 1, TASKS)
        .mapToObj(Integer::toString)
        .collect(Collectors.toSet());
  }

  /** Its first client. */
  ClientProcess start(String... more) {
    List<String> options = new ArrayList<>(List.of("--run-id", id, "--bundle", "1"));
    options.addAll(List.of("--ship", home.resolve("data").toString(), "--capture", "2MiB"));
    options.addAll(List.of(more));
    return ClientProcess.start(
        cluster,
        home,
        Consistency.EXACTLY_ONCE,
        workload(),
        Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary),
        options.toArray(String[]::new));
  }

  ClientProcess resume() {
    return ClientProcess.resume(cluster, home, id);
  }

  /** Cancels it; gives what the command said. */
  String cancel() throws InterruptedException {
    try (Running cancel =
        Processes.start(
            "cloudkon-client",
            List.of(),
            List.of("cancel", "-s", cluster.name(), id),
            cluster.environment(),
            home)) {
      assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
      return cancel.stdout();
    }
  }

  /** Waits until so many commands stand at the gate, and a result lies in the blob store. */
  void awaitMiddle(int slots) {
    await()
        .atMost(LIMIT)
        .until(() ->
            gate.started().size() >= slots
                && commands.processes().size() >= slots
                && !objects("out/").isEmpty());
    assertThat(objects("in/")).as("what it ships").hasSize(1);
    assertThat(cluster.responseQueues()).hasSize(1);
  }

  void open() throws IOException {
    gate.open();
  }

  private List<String> objects(String kind) {
    return cluster.ports().blobs().list(BlobKeys.run(id) + kind);
  }

  /** What its first client keeps in its folder for temporary files. */
  Path temporary() {
    return temporary;
  }

  /**
   * Fails unless it stands so in the table of runs and nothing else of it is left: at once what its
   * clients remove, and soon what the workers do.
   */
  void assertNothingLeft(RunEntry.State state) {
    assertThat(cluster.ports().runs().read(id).map(RunEntry::state)).contains(state);
    assertNothingOfClients();
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          assertThat(commands.processes()).as("commands").isEmpty();
          assertThat(cluster.messages()).as("messages").isZero();
          assertThat(cluster.claims("LEASED")).as("claims").isEmpty();
        });
    // a worker may have had a result in hand when the last client had left
    assertNothingOfClients();
  }

  private void assertNothingOfClients() {
    assertThat(cluster.responseQueues()).as("response queues").isEmpty();
    assertThat(objects("")).as("objects").isEmpty();
  }
}
