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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A run that uses all there is to leave behind: its commands find a shipped folder, print more than
 * a message holds, and wait at a gate, but for the first ones that start.
 */
final class GatedRun {
  static final int TASKS = 12;

  /** So many need not wait. */
  static final int FREE = 2;

  private static final int LARGE_BYTES = 3 << 19;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final TestCluster cluster;
  private final String id;
  private final Path home;
  private final Path temporary;
  private final Gate gate;
  private final Marked commands;
  private boolean open;

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
  }

  /** Whoever can still make a folder goes on at once. */
  private List<String> workload() {
    String free =
        IntStream.range(0, FREE)
            .mapToObj(i -> "mkdir %s 2>/dev/null".formatted(home.resolve("free-" + i)))
            .collect(Collectors.joining(" || "));
    String gated = gate.task().substring("exec ".length());
    return Collections.nCopies(TASKS, "exec %s || { %s; }; cat data/large".formatted(free, gated));
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

  /** Cancels it, with these options; gives what the command said. */
  String cancel(String... more) throws InterruptedException {
    try (Running cancel =
        Processes.start(
            "cloudkon-client",
            List.of(),
            Stream.concat(Stream.of("cancel", "-s", cluster.name(), id), Stream.of(more)).toList(),
            cluster.environment(),
            home)) {
      assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
      return cancel.stdout();
    }
  }

  /** Waits until so many commands stand at the gate, and the others' results are stored. */
  void awaitMiddle(int slots) {
    await()
        .atMost(LIMIT)
        .until(() ->
            gate.started().size() >= slots
                && commands.processes().size() >= slots
                && objects("out/").size() >= FREE);
    assertThat(objects("in/")).as("what it ships").hasSize(1);
    assertThat(cluster.responseQueues()).hasSize(1);
  }

  /** Lets everybody pass; may be called again. */
  void open() throws IOException {
    if (!open) {
      gate.open();
      open = true;
    }
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
