package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a person may get wrong with retries, shipped files, detached runs and a missing bucket: one
 * clear line, the exit code for it, nothing sent and nothing left.
 */
class BadInputManyTasksIT {
  private static final int USAGE = 2;
  private static final int SERVICE = 3;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String NO_BUCKET = "no-such-bucket";

  /** More than a message holds. */
  private static final int LARGE_BYTES = 3 << 19;

  private static final TestCluster CLUSTER = new TestCluster();
  private static final AwsCloud CLOUD = AwsCloud.connect(Set.of(), new SystemTime());

  @TempDir private static Path files;
  @TempDir private Path folder;

  @BeforeAll
  static void makeFiles() throws Exception {
    Files.writeString(files.resolve("good.txt"), "noop\n");
    Files.writeString(
        files.resolve("retries.jsonl"), "{\"sleep\":1}\n{\"exec\":[\"true\"],\"retries\":2}\n");
    Files.writeString(
        files.resolve("large.jsonl"),
        "{\"exec\":[\"cat\"],\"stdin\":\"" + "x".repeat(LARGE_BYTES) + "\"}\n");
    makeWhatCannotBeShipped();
  }

  private static void makeWhatCannotBeShipped() throws Exception {
    Path leaving = Files.createDirectory(files.resolve("leaving"));
    Files.createSymbolicLink(leaving.resolve("out"), Path.of("..", "good.txt"));
    Path broken = Files.createDirectory(files.resolve("broken"));
    Files.createSymbolicLink(broken.resolve("nowhere"), Path.of("gone"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      // its file stays when it is closed
      server.bind(UnixDomainSocketAddress.of(files.resolve("socket")));
    }
    Path deep = Files.createDirectories(files.resolve("deep").resolve("deeper"));
    for (Path pipe : List.of(files.resolve("pipe"), deep.resolve("pipe"))) {
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    }
  }

  @AfterAll
  static void close() {
    CLOUD.close();
    CLUSTER.close();
  }

  /** Options that cannot be, and what the line about them says. */
  private record Bad(List<String> options, int exitCode, String... says) {
    @Override
    public String toString() {
      return String.join(" ", options).replace(files + "/", "");
    }
  }

  private static String file(String name) {
    return files.resolve(name).toString();
  }

  private static Bad bad(List<String> options, String... says) {
    List<String> all = new ArrayList<>(options);
    if (!options.contains("-w")) {
      all.addAll(List.of("-w", file("good.txt")));
    }
    return new Bad(all, USAGE, says);
  }

  private static Bad ship(String name, String... says) {
    return bad(List.of("--ship", file(name)), says);
  }

  static Stream<Bad> submissions() {
    return Stream.of(
        bad(
            List.of("--retries", "3", "--consistency", "at-most-once"),
            "--retries 3",
            "at-most-once"),
        bad(
            List.of("--consistency", "at-most-once", "-w", file("retries.jsonl")),
            "retries.jsonl:2",
            "\"retries\" is",
            "at-most-once"),
        bad(List.of("--retries", "-1"), "--retries -1", "0 to"),
        ship("missing", "--ship", "missing: no such file or folder"),
        ship("socket", "socket: is a socket", "expected files, folders"),
        ship("pipe", "pipe: is a named pipe", "expected files, folders"),
        ship("deep", "deep/deeper/pipe: is a named pipe"),
        ship("leaving", "leaving/out: is a link to ../good.txt", "outside of what is shipped"),
        ship("broken", "broken/nowhere: is a link to gone, which does not exist"),
        bad(
            List.of("--ship", file("good.txt"), "--ship", file("leaving/../good.txt")),
            "has the same name as"),
        bad(List.of("--detach", "-s", "LOCAL"), "--detach", "LOCAL"),
        bad(List.of("--detach", "--out", "none"), "--detach", "--out none"),
        bad(List.of("--detach", "--stream"), "--detach", "--stream"));
  }

  /** A shipped file, and a task that is too large for a message, with nowhere to put them. */
  static Stream<Bad> withoutBucket() {
    return Stream.of(
            List.of("-w", file("good.txt"), "--ship", file("good.txt")),
            List.of("-w", file("large.jsonl")))
        .map(options -> {
          List<String> all = new ArrayList<>(options);
          all.addAll(List.of("--bucket", NO_BUCKET));
          String setup = "cloudkon setup -s %s --bucket %s".formatted(CLUSTER.name(), NO_BUCKET);
          return new Bad(all, SERVICE, "bucket '%s'".formatted(NO_BUCKET), setup);
        });
  }

  @Test
  void bad_line_of_a_stream_says_how_many_tasks_were_sent_and_how_to_cancel_them()
      throws Exception {
    Files.writeString(files.resolve("stream.txt"), "noop\nnoop\nnoop\nnosuchthing\n");
    String run = "streamed";
    try (TestCluster cluster = new TestCluster();
        Running client =
            Processes.start(
                "cloudkon-client",
                List.of(),
                List.of(
                    "-s", cluster.name(), "-w", file("stream.txt"), "--stream", "--run-id", run),
                cluster.environment(),
                folder)) {
      assertThat(client.awaitExit(LIMIT)).isEqualTo(USAGE);
      assertThat(client.stderr()).contains("stream.txt:4: ").containsPattern("; [0-3] tasks? sent");
      if (!client.stderr().contains("; 0 tasks sent")) {
        assertThat(client.stderr()).contains("cancel -s %s %s".formatted(cluster.name(), run));
      }
    }
  }

  @ParameterizedTest
  @MethodSource({"submissions", "withoutBucket"})
  void run_that_cannot_be_is_refused_in_one_line_and_leaves_nothing(Bad bad) throws Exception {
    List<String> arguments = new ArrayList<>(bad.options());
    if (!arguments.contains("-s")) {
      arguments.addAll(List.of("-s", CLUSTER.name()));
    }

    try (Running client =
        Processes.start("cloudkon-client", List.of(), arguments, CLUSTER.environment(), folder)) {
      int code = client.awaitExit(LIMIT);
      assertThat(client.stderr().lines()).singleElement().asString().contains(bad.says());
      assertThat(code).isEqualTo(bad.exitCode());
      assertThat(client.stdout()).isEmpty();
    }

    assertThat(CLUSTER.messages()).isZero();
    assertThat(CLUSTER.responseQueues()).isEmpty();
    assertThat(CLOUD.cluster(CLUSTER.name()).blobs().list("")).isEmpty();
    assertThat(resultFolders()).isEmpty();
  }

  private List<Path> resultFolders() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).toList();
    }
  }
}
