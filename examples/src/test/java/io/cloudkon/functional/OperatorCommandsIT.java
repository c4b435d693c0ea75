package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code status}, {@code explain} and {@code dead} as their users meet them. */
class OperatorCommandsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final TestCluster cluster = new TestCluster();
  private final AwsCloud cloud = AwsCloud.connect(Set.of(), new SystemTime());
  private final Cluster ports = cloud.cluster(cluster.name());
  @TempDir private Path folder;

  @AfterEach
  void close() {
    cloud.close();
    cluster.close();
  }

  /** What a command said, and how it ended. */
  private record Said(int code, String out, String err) {}

  private Said say(String... arguments) throws InterruptedException {
    try (Running command =
        Processes.start(
            "cloudkon-client", List.of(), List.of(arguments), cluster.environment(), folder)) {
      int code = command.awaitExit(LIMIT);
      return new Said(code, command.stdout(), command.stderr());
    }
  }

  private Running worker() {
    return Processes.start(
        "cloudkon-worker",
        List.of(),
        List.of("-s", cluster.name(), "-t", "2"),
        cluster.environment(),
        folder);
  }

  private static void assertRefused(Said said, String... words) {
    assertThat(said.err().lines()).singleElement().asString().contains(words);
    assertThat(said.out()).isEmpty();
    assertThat(said.code()).isEqualTo(2);
  }

  private void dies(String run, Task... tasks) {
    BundleHeader header =
        new BundleHeader(
            run, "e", run + "/e/0", "Q-response-gone", Consistency.EXACTLY_ONCE, 1000, 1, 1, 0);
    send(DeadLetters.of(new Bundle(header, List.of(tasks)), "its worker died"));
  }

  private void send(OutgoingMessage letter) {
    assertThat(ports.dead().send(List.of(letter))).isEmpty();
  }

  @Test
  void redrive_of_nothing_is_one_clear_line() throws Exception {
    assertRefused(
        say("dead", "redrive", "-s", cluster.name()), "no dead letter", "nothing to redrive");
  }

  @Test
  void unknown_letter_is_one_clear_line() throws Exception {
    dies("old", new Task(0, "a", Work.Noop.INSTANCE, 0));

    assertRefused(say("dead", "show", "-s", cluster.name(), "zz"), "no dead letter 'zz'");
    assertRefused(say("dead", "redrive", "-s", cluster.name(), "zz"), "no dead letter 'zz'");
    assertThat(ports.dead().depth().waiting()).isEqualTo(1);
  }

  @Test
  void explain_of_an_unknown_run_is_one_clear_line() throws Exception {
    assertRefused(
        say("explain", "-s", cluster.name(), "nosuch"), "'nosuch' is not a run", "cloudkon status");
  }

  @Test
  void watch_into_a_file_is_one_clear_line() throws Exception {
    assertRefused(say("status", "-s", cluster.name(), "--watch"), "--watch needs a terminal");
  }

  @Test
  void status_says_what_to_do_where_nothing_runs() throws Exception {
    Said said = say("status", "-s", cluster.name());

    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("0 bundles waiting", "No worker is alive", "No runs.");
  }

  @Test
  void dead_letters_are_listed_shown_redriven_and_gone() throws Exception {
    dies(
        "old",
        new Task(3, "a", Work.Exec.shell("echo here"), 0),
        new Task(5, "b", new Work.JavaCall("echo", List.of("there")), 0));
    send(DeadLetters.of(Map.of(OutgoingMessage.RUN, "odd"), new byte[] {1, 2, 3}, "unreadable"));

    Said list = say("dead", "list", "-s", cluster.name());
    assertThat(list.code()).isZero();
    assertThat(list.out()).contains("its worker died", "unreadable");
    String id =
        list.out().lines().filter(l -> l.contains("old")).findFirst().orElseThrow().substring(0, 8);
    Said show = say("dead", "show", "-s", cluster.name(), id);
    assertThat(show.out()).contains("old/e/0", "{\"id\":\"a\",\"shell\":\"echo here\"");

    Said redrive;
    try (Running worker = worker()) {
      redrive = say("dead", "redrive", "-s", cluster.name(), "--run-id", "again");
    }

    assertThat(redrive.code()).isZero();
    assertThat(redrive.out())
        .contains("2 tasks of 1 dead letter: run again", "all 2 tasks succeeded");
    assertThat(redrive.err()).contains("is kept: it holds no tasks that can be read");
    assertThat(Files.readString(folder.resolve("cloudkon-again/results.jsonl")))
        .contains("\"task\":\"a\"", "\"task\":\"b\"", "here", "there");
    Said left = say("dead", "list", "-s", cluster.name());
    assertThat(left.out().lines()).hasSize(2).last().asString().contains("odd");

    Said explain = say("explain", "-s", cluster.name(), "again/b");
    assertThat(explain.code()).isZero();
    assertThat(explain.out()).contains("Task b of run again: number 2 of 2.", "SUCCEEDED");
    Said run = say("explain", "-s", cluster.name(), "again");
    assertThat(run.out()).contains("Run again has ended", "nothing is waiting");
    assertRefused(say("explain", "-s", cluster.name(), "again/zz"), "no task 'zz'");

    Said rerun;
    try (Running worker = worker()) {
      rerun = say("rerun", "cloudkon-again", "--task", "b");
    }
    assertThat(rerun.code()).as(rerun.err()).isZero();
    assertThat(Files.readString(folder.resolve("cloudkon-again/rerun-1/results.jsonl")))
        .contains("\"task\":\"b\"", "there");
  }

  @Test
  void what_a_command_did_is_one_object_for_scripts_and_silence_where_quiet() throws Exception {
    JsonNode setup = json(say("setup", "-s", cluster.name(), "--json"));
    assertThat(setup.path("resources")).extracting(JsonNode::asText).contains(cluster.name());
    assertThat(setup.path("bucket").asText()).startsWith("cloudkon-");
    assertThat(setup.path("stack").isNull()).isTrue();
    assertThat(setup.path("fair").isBoolean()).isTrue();
    Said quiet = say("setup", "-s", cluster.name(), "--quiet");
    assertThat(quiet.code()).isZero();
    assertThat(quiet.out() + quiet.err()).isEmpty();

    assertThat(
            say(
                    "run",
                    "-s",
                    cluster.name(),
                    "--run-id",
                    "nap",
                    "--out",
                    "quick",
                    "--detach",
                    "--",
                    "true",
                    ":::",
                    "1")
                .code())
        .isZero();
    assertThat(say("explain", "-s", cluster.name(), "quick").out()).startsWith("Run nap is ");
    JsonNode cancelled = json(say("cancel", "-s", cluster.name(), "quick", "--json"));
    assertThat(cancelled.path("run").asText()).isEqualTo("nap");
    assertThat(cancelled.path("complete").asBoolean()).isTrue();
    assertThat(cancelled.path("said").asText()).startsWith("run nap is cancelled");

    String other = cluster.name() + "-2";
    assertThat(json(say("setup", "-s", other, "--json")).path("cluster").asText()).isEqualTo(other);
    assertThat(json(say("teardown", "-s", other, "--yes", "--json")).path("removed"))
        .extracting(JsonNode::asText)
        .contains(other);

    Said again = say("teardown", "-s", other);
    assertThat(again.code()).as("without a question: " + again.err()).isZero();
    assertThat(again.out()).contains("cluster %s: nothing to remove".formatted(other));
  }

  private static JsonNode json(Said said) throws Exception {
    assertThat(said.code()).as(said.err()).isZero();
    return new ObjectMapper().readTree(said.out());
  }
}
