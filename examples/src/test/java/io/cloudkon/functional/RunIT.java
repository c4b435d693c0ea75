package io.cloudkon.functional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.model.Names;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Results;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks from a command line, which reach their program as they were written. */
class RunIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Names that shells, terminals and encodings stumble over. */
  private static final List<String> NAMES =
      List.of(
          "two words",
          "it's",
          "$HOME \"quoted\" `id`",
          "new\nline",
          "-n",
          "größe € 漢字",
          "x".repeat(250),
          "semi;colon & * ?",
          "{}",
          "back\\slash");

  @TempDir Path folder;

  /** By the launcher, as a person does it, in a locale without letters beyond ASCII. */
  @Test
  void names_that_hurt_are_arguments_as_they_are() throws Exception {
    Path list = Files.write(folder.resolve("names"), String.join("\0", NAMES).getBytes(UTF_8));
    Path script = folder.resolve("run.sh");
    Files.writeString(
        script,
        """
        names=()
        while IFS= read -r -d '' name; do names+=("$name"); done < <(cat "$1"; printf '\\0')
        touch -- "${names[@]}" || exit 9
        "$2/cloudkon" run --out plain -- printf '%s|' {} ::: "${names[@]}" || exit
        "$2/cloudkon" run --out quoted --shell -- 'printf "%s|" {}' ::: "${names[@]}" || exit
        "$2/cloudkon" run --out read -0 -- printf '%s|' {} :::: names || exit
        "$2/cloudkon" results plain --format tsv --columns index,command --sort command > commands || exit
        "$2/cloudkon" cat read/5 > dash
        "$2/cloudkon" run --out grid -- echo {2} ::: 10 9 ::: x y || exit
        "$2/cloudkon" results grid --format csv --sort value1 --columns values,stdout > grid.csv || exit
        "$2/cloudkon" run --out order -t 1 -- sh -c 'sleep 0.02' {} ::: $(seq 30) || exit
        "$2/cloudkon" rerun grid --task 2 || exit
        "$2/cloudkon" results grid/rerun-1 --format csv --columns values,stdout > again.csv || exit
        """);

    Map<String, String> environment = new HashMap<>();
    environment.put("LC_ALL", "C");
    environment.put("CLOUDKON_BUILD", "off");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    try (Running run =
        Processes.start(
            List.of(
                "bash", script.toString(), list.toString(), System.getProperty("cloudkon.home")),
            Path.of("/dev/null"),
            environment,
            folder)) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stderr()).contains("no -s QUEUE, so the tasks run here");
    }

    List<String> expected = NAMES.stream().map(name -> name + "|").toList();
    for (String out : List.of("plain", "quoted", "read")) {
      assertThat(outputs(out)).as(out).isEqualTo(expected);
    }
    assertThat(folder.resolve("commands"))
        .content()
        .startsWith("index\tcommand\n")
        .contains("\n4\tprintf '%s|' -n\n")
        .contains("\n7\tprintf '%s|' 'semi;colon & * ?'\n")
        .contains("\n1\tprintf '%s|' 'it'\\''s'\n");
    assertThat(folder.resolve("dash")).hasContent("-n|");
    assertThat(inOrderOfStart("order"))
        .isEqualTo(IntStream.rangeClosed(1, 30).mapToObj(Integer::toString).toList());
    assertThat(folder.resolve("grid.csv"))
        .hasContent("value1,value2,stdout\n9,x,x\n9,y,y\n10,x,x\n10,y,y\n");
    assertThat(folder.resolve("again.csv")).hasContent("value1,value2,stdout\n10,y,y\n");
  }

  @Test
  void workload_is_kept_in_the_runs_folder_so_that_it_can_be_resumed() throws Exception {
    Files.writeString(folder.resolve("list"), "größe\n two\n");
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker =
            new WorkerProcess.Recipe(cluster, folder)
                .environment("LC_ALL", "C.UTF-8")
                .start()
                .awaitReady()) {
      try (Running run =
          run(
              cluster.environment(),
              List.of("-s", cluster.name(), "--run-id", "kept", "--out", "results", "--detach"),
              "printf",
              "%s",
              "{}",
              "::::",
              "list")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
        assertThat(run.stdout()).contains("--resume kept");
      }
      assertThat(folder.resolve("results/workload.jsonl"))
          .hasContent(
              "{\"exec\":[\"printf\",\"%s\",\"größe\"],\"values\":[\"größe\"]}\n"
                  + "{\"exec\":[\"printf\",\"%s\",\" two\"],\"values\":[\" two\"]}\n");

      try (ClientProcess client = ClientProcess.resume(cluster, folder, "kept")) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      }
      assertThat(worker.alive()).isTrue();
    }
    assertThat(outputs("results")).containsExactly("größe", " two");
  }

  @Test
  void run_ends_early_where_too_many_tasks_fail() throws Exception {
    List<String> options =
        List.of("-t", "2", "--out", "limited", "--max-failures", "3", "--array", "1-2000");
    try (Running run = run(Map.of(), options, "false")) {
      assertThat(run.awaitExit(LIMIT)).isEqualTo(1);
      assertThat(run.stderr()).contains("(--max-failures 3), so the run is cancelled");
    }
    Results results = Results.read(folder.resolve("limited/results.jsonl"));
    assertThat(results.byTask()).hasSize(2000);
    assertThat(results.tasks("FAILED")).hasSizeBetween(3, 1500);
    assertThat(results.tasks("CANCELLED")).hasSizeGreaterThan(400);
  }

  @Test
  void what_stands_behind_the_dashes_is_the_commands() throws Exception {
    try (Running run =
        run(Map.of(), List.of("--print"), "p", "--help", "-s", "Q", "--", ":::", "a")) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout())
          .isEqualTo(
              "{\"exec\":[\"p\",\"--help\",\"-s\",\"Q\",\"--\",\"a\"],\"values\":[\"a\"]}\n");
    }
  }

  @Test
  void bad_command_line_sends_nothing() throws Exception {
    try (Running run =
        run(
            Map.of(),
            List.of("-s", Names.LOCAL, "--out", "never"),
            "p",
            "{3}",
            ":::",
            "a",
            ":::",
            "b")) {
      assertThat(run.awaitExit(LIMIT)).isEqualTo(2);
      assertThat(run.stderr())
          .isEqualTo("cloudkon run: {3} names source 3, but there are 2; expected {1} to {2}\n");
    }
    assertThat(folder.resolve("never")).doesNotExist();
  }

  private Running run(Map<String, String> environment, List<String> options, String... words) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(List.of(words));
    return Processes.start("cloudkon-client", List.of(), arguments, environment, folder);
  }

  private List<String> inOrderOfStart(String out) throws IOException {
    return Results.read(folder.resolve(out).resolve("results.jsonl")).byTask().entrySet().stream()
        .sorted(Comparator.comparing(task -> task.getValue().get("startedAt").asText()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** In the order of the tasks. */
  private List<String> outputs(String out) throws IOException {
    Map<String, JsonNode> byTask =
        Results.read(folder.resolve(out).resolve("results.jsonl")).byTask();
    List<String> outputs = new ArrayList<>();
    for (int i = 1; byTask.containsKey(Integer.toString(i)); i++) {
      outputs.add(byTask.get(Integer.toString(i)).get("stdout").asText());
    }
    return outputs;
  }
}
