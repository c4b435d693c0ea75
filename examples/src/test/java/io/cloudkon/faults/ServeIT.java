package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code client --serve}: task lines in, result lines out, and what is left when it is killed. */
class ServeIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RUN = "served";
  private static final int TASKS = 400;

  @TempDir private Path folder;

  /** A client in service, whose standard input is a pipe that this test writes to. */
  private static final class Service implements AutoCloseable {
    private final RandomAccessFile in;
    private final Running process;

    Service(Path folder, Map<String, String> environment, String... options) throws Exception {
      Path pipe = folder.resolve("in");
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      in = new RandomAccessFile(pipe.toFile(), "rw"); // which waits for no reader
      List<String> arguments = new ArrayList<>(List.of("client", "--serve"));
      arguments.addAll(List.of(options));
      process =
          Processes.start(
              Processes.command("cloudkon-client", List.of(), arguments, environment),
              pipe,
              environment,
              folder);
    }

    void say(String... lines) throws IOException {
      in.write((String.join("\n", lines) + "\n").getBytes(UTF_8));
    }

    /** The lines on standard output, each JSON, once there are so many. */
    List<JsonNode> answers(int count) {
      await().atMost(LIMIT).until(() -> process.stdout().lines().count() >= count);
      return process.stdout().lines().map(Service::json).toList();
    }

    private static JsonNode json(String line) {
      try {
        return JSON.readTree(line);
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(line, e);
      }
    }

    int end() throws Exception {
      in.close();
      return process.awaitExit(LIMIT);
    }

    @Override
    public void close() throws IOException {
      in.close();
      process.close();
    }
  }

  @Test
  void each_line_is_answered_as_it_comes_bad_ones_too_and_standard_output_holds_nothing_else()
      throws Exception {
    try (Service service =
        new Service(folder, Map.of(), "-s", "LOCAL", "-t", "2", "--out", "out")) {
      service.say("java echo one");
      JsonNode first = service.answers(1).getFirst();
      assertThat(first.path("task").asText()).isEqualTo("1");
      assertThat(first.path("status").asText()).isEqualTo("SUCCEEDED");
      assertThat(first.path("output").asText()).isEqualTo("one");
      assertThat(first.has("stamps")).isTrue();

      service.say("slep 5");
      JsonNode refused = service.answers(2).getLast();
      assertThat(refused.path("line").asInt()).isEqualTo(2);
      assertThat(refused.path("error").asText())
          .startsWith("<stdin>:2: unknown kind of task \"slep\";");
      assertThat(refused.has("task")).isFalse();

      service.say("", "# a comment", "{\"id\": \"mine\", \"shell\": \"echo hi; exit 3\"}");
      JsonNode failed = service.answers(3).getLast();
      assertThat(failed.path("task").asText()).isEqualTo("mine");
      assertThat(failed.path("exitCode").asInt()).isEqualTo(3);
      assertThat(failed.path("stdout").asText()).isEqualTo("hi\n");

      assertThat(service.end()).isEqualTo(1);
      assertThat(service.process.stdout().lines()).hasSize(3);
      assertThat(service.process.stderr()).contains("1 of 2 tasks succeeded");
    }
    assertThat(Results.read(folder.resolve("out/results.jsonl")).byTask())
        .containsOnlyKeys("1", "mine");
  }

  @Test
  void exit_code_tells_of_refused_lines_and_of_good_ends() throws Exception {
    Path good = Files.createDirectory(folder.resolve("good"));
    try (Service service = new Service(good, Map.of(), "-s", "LOCAL", "--out", "none")) {
      service.say("noop", "noop");
      assertThat(service.end()).isZero();
      assertThat(service.process.stdout().lines()).hasSize(2);
    }
    Path none = Files.createDirectory(folder.resolve("nothing"));
    try (Service service = new Service(none, Map.of(), "-s", "LOCAL")) {
      assertThat(service.end()).isZero();
      assertThat(service.process.stdout()).isEmpty();
    }
    Path bad = Files.createDirectory(folder.resolve("bad"));
    try (Service service = new Service(bad, Map.of(), "-s", "LOCAL")) {
      service.say("noop", "nop");
      assertThat(service.end()).isEqualTo(1);
      assertThat(service.process.stderr()).contains("Refused     1 line (<stdin>:2: unknown");
    }
  }

  @Test
  void options_that_name_other_tasks_or_leave_are_refused() throws Exception {
    for (List<String> other :
        List.of(
            List.of("-w", "tasks.txt"),
            List.of("--stream"),
            List.of("--resume", RUN),
            List.of("--detach"))) {
      List<String> arguments = new ArrayList<>(List.of("client", "-s", "Q", "--serve"));
      arguments.addAll(other);
      try (Running client =
          Processes.start("cloudkon-client", List.of(), arguments, Map.of(), folder)) {
        assertThat(client.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(client.stderr()).contains(other.getFirst() + " cannot be combined with --serve");
      }
    }
  }

  /** A line for each start, written by the task itself. */
  private String task(int number) {
    return "exec echo %d >> %s".formatted(number, folder.resolve("starts"));
  }

  @Test
  void client_killed_in_mid_stream_and_resumed_gives_every_task_one_result() throws Exception {
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker = new Recipe(cluster, folder).slots(4).start();
        Service service =
            new Service(
                folder,
                cluster.environment(),
                "-s",
                cluster.name(),
                "--run-id",
                RUN,
                "--out",
                "results")) {
      worker.awaitReady();
      service.say(task(1));
      assertThat(service.answers(1).getFirst().path("status").asText()).isEqualTo("SUCCEEDED");
      service.say(IntStream.rangeClosed(2, TASKS).mapToObj(this::task).toArray(String[]::new));
      Path spool = folder.resolve("results/workload.jsonl");
      await().atMost(LIMIT).until(() -> Files.readAllLines(spool).size() == TASKS);
      service.process.kill();

      letGo(cluster.ports().runs());
      try (ClientProcess next = ClientProcess.resume(cluster, folder, RUN)) {
        assertThat(next.awaitExit(LIMIT)).as(next.said()).isZero();
        assertThat(next.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
        assertThat(next.report().get("succeeded").asInt()).isEqualTo(TASKS);
      }
      List<String> starts = Files.readAllLines(folder.resolve("starts"));
      assertThat(starts).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(cluster.responseQueues()).isEmpty();
    }
  }

  @Test
  void client_killed_before_its_first_task_leaves_a_run_that_is_resumed_to_its_end()
      throws Exception {
    try (TestCluster cluster = new TestCluster();
        Service service =
            new Service(
                folder,
                cluster.environment(),
                "-s",
                cluster.name(),
                "--run-id",
                RUN,
                "--out",
                "results")) {
      Path journal = folder.resolve("results/journal");
      await().atMost(LIMIT).until(() -> Files.exists(journal) && Files.size(journal) > 0);
      service.process.kill();

      letGo(cluster.ports().runs());
      try (ClientProcess next = ClientProcess.resume(cluster, folder, RUN)) {
        assertThat(next.awaitExit(LIMIT)).as(next.said()).isZero();
      }
      assertThat(cluster.responseQueues()).isEmpty();
    }
  }

  /** A script that asks for one task after the other waits for each answer. */
  @Test
  void task_whose_worker_was_killed_is_answered_as_lost_while_the_input_stays_open()
      throws Exception {
    Gate gate = new Gate(folder);
    try (TestCluster cluster = new TestCluster();
        WorkerProcess killed =
            new Recipe(cluster, folder).slots(1).shortLease().start().awaitReady();
        Service service =
            new Service(
                folder,
                cluster.environment(),
                "-s",
                cluster.name(),
                "--consistency",
                "at-most-once",
                "--out",
                "none")) {
      service.say(gate.task());
      await().atMost(LIMIT).until(() -> gate.started().size() == 1);
      killed.kill();
      try (WorkerProcess next = new Recipe(cluster, folder).start().awaitReady()) {
        JsonNode lost = service.answers(1).getFirst();
        assertThat(lost.path("task").asText()).isEqualTo("1");
        assertThat(lost.path("status").asText()).isEqualTo("LOST");

        service.say("java echo on");
        assertThat(service.answers(2).getLast().path("output").asText()).isEqualTo("on");
        assertThat(service.end()).isEqualTo(1);
      }
    }
  }

  /** Its lease would run out by itself, in a while. */
  private static void letGo(RunStore runs) {
    RunEntry entry = runs.read(RUN).orElseThrow();
    long now = entry.updatedMillis();
    boolean unused =
        runs.update(
            entry.with(entry.state(), now, entry.tasks(), entry.sent(), entry.counts(), now));
  }
}
