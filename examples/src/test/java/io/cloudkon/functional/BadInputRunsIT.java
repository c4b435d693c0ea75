package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Names;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a person may get wrong with a run that was submitted before: one clear line, exit code 2,
 * and the run as it was.
 */
class BadInputRunsIT {
  private static final int USAGE = 2;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Was detached, and waits. */
  private static final String LEFT = "left";

  /** Is over. */
  private static final String ENDED = "ended";

  /** Was detached, and the cluster knows nothing of it. */
  private static final String FORGOTTEN = "forgotten";

  private static final TestCluster CLUSTER = new TestCluster();

  @TempDir private static Path files;
  @TempDir private Path folder;

  @BeforeAll
  static void submitRuns() throws Exception {
    Files.writeString(files.resolve("good.txt"), "noop\n");
    Files.writeString(files.resolve("other.txt"), "sleep 1\n");
    Files.createDirectory(files.resolve("empty"));
    try (Running worker =
        Processes.start(
            "cloudkon-worker",
            List.of(),
            List.of("-s", CLUSTER.name(), "--exit-when-idle", "5s"),
            CLUSTER.environment(),
            files)) {
      submit(ENDED);
      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isZero();
    }
    submit(LEFT, "--detach");
    submit(FORGOTTEN, "--detach");
    forget(FORGOTTEN);
  }

  private static void submit(String run, String... options) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("-s", CLUSTER.name(), "--run-id", run));
    arguments.addAll(List.of("-w", file("good.txt"), "--out", file(run)));
    arguments.addAll(List.of(options));
    try (Running client =
        Processes.start("cloudkon-client", List.of(), arguments, CLUSTER.environment(), files)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
    }
  }

  /** As if its entry had expired. */
  private static void forget(String run) {
    try (DynamoDbClient dynamo = DynamoDbClient.create()) {
      dynamo.deleteItem(b ->
          b.tableName(Names.runs(CLUSTER.name())).key(Map.of("id", AttributeValue.fromS(run))));
    }
  }

  @AfterAll
  static void close() {
    CLUSTER.close();
  }

  private static String file(String name) {
    return files.resolve(name).toString();
  }

  /** A command that cannot be, and what the line about it says. */
  private record Bad(List<String> command, String... says) {
    @Override
    public String toString() {
      return String.join(" ", command).replace(files + "/", "");
    }
  }

  private static Bad resume(String run, List<String> options, String... says) {
    List<String> command = new ArrayList<>(List.of("client", "--resume", run));
    command.addAll(options);
    if (!options.contains("-s")) {
      command.addAll(List.of("-s", CLUSTER.name()));
    }
    return new Bad(command, says);
  }

  /** A resume of the run that waits, with its folder. */
  private static Bad resumeLeft(List<String> options, String... says) {
    List<String> all = new ArrayList<>(List.of("--out", file(LEFT)));
    all.addAll(options);
    return resume(LEFT, all, says);
  }

  private static Bad cancel(String run, String... says) {
    return new Bad(List.of("cancel", "-s", CLUSTER.name(), run), says);
  }

  static Stream<Bad> commands() {
    String cluster = CLUSTER.name();
    return Stream.of(
        resume("nosuch", List.of(), "cloudkon-nosuch", "no such folder", "--out DIR"),
        resume("nosuch", List.of("--out", file("empty")), "empty", "no journal", "--out DIR"),
        resume(
            FORGOTTEN,
            List.of("--out", file(FORGOTTEN)),
            "cluster '%s' has no run 'forgotten'".formatted(cluster)),
        resume("nosuch", List.of("--out", file(LEFT)), "holds run 'left'", "not run 'nosuch'"),
        resumeLeft(
            List.of("-w", file("other.txt")),
            "other.txt is not the workload",
            "SHA-256",
            "-w FILE"),
        resumeLeft(List.of("-w", file("missing.txt")), "missing.txt", "no such file"),
        resumeLeft(
            List.of("--consistency", "at-least-once"),
            "--consistency at-least-once",
            "submitted with, exactly-once"),
        resumeLeft(List.of("--run-id", "new"), "--run-id cannot be combined with --resume"),
        resumeLeft(List.of("--retries", "3"), "--retries cannot be combined with --resume"),
        resumeLeft(List.of("-s", "LOCAL"), "--resume left", "ends with it"),
        resume(LEFT, List.of("--out", "none"), "--out none cannot be combined with --resume"),
        resume(
            ENDED,
            List.of("--out", file(ENDED)),
            "run 'ended' has ended, there is nothing to resume",
            file(ENDED)),
        cancel(ENDED, "run 'ended' has ended; there is nothing to cancel"),
        cancel("nosuch", "'%s' has no run 'nosuch'".formatted(cluster), "cloudkon status"));
  }

  /** What may not change. */
  private record Standing(long messages, List<String> queues, String journal, String results) {
    static Standing now() throws IOException {
      Path left = files.resolve(LEFT);
      return new Standing(
          CLUSTER.messages(),
          CLUSTER.responseQueues(),
          Files.readString(left.resolve("journal")),
          Files.readString(left.resolve("results.jsonl")));
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void command_on_a_run_that_cannot_be_is_refused_in_one_line_and_changes_nothing(Bad bad)
      throws Exception {
    Standing before = Standing.now();
    assertThat(before.messages()).isEqualTo(2);

    try (Running command =
        Processes.start(
            "cloudkon-client", List.of(), bad.command(), CLUSTER.environment(), folder)) {
      int code = command.awaitExit(LIMIT);
      assertThat(command.stderr().lines()).singleElement().asString().contains(bad.says());
      assertThat(code).isEqualTo(USAGE);
      assertThat(command.stdout()).isEmpty();
    }

    assertThat(Standing.now()).isEqualTo(before);
  }
}
