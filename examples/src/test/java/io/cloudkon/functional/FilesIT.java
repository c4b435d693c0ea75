package io.cloudkon.functional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.model.Names;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that go along with single tasks, and files that come back. */
class FilesIT {
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
          "back\\slash",
          "in a/folder of/its own");

  /** Each task copies its own file and what is shipped. */
  private static final String COPY =
      """
      mkdir out; for file in "$@"; do mkdir -p "out/$(dirname -- "$file")"; cp -- "$file" "out/$file"; done; cp -r tool out\
      """;

  @TempDir Path folder;

  /** By the launcher, as a person does it, in a locale without letters beyond ASCII. */
  @Test
  void names_that_hurt_go_out_and_come_back_byte_for_byte_in_process() throws Exception {
    checkRoundTrip(Map.of(), Names.LOCAL);
  }

  @Test
  void names_that_hurt_go_out_and_come_back_byte_for_byte_on_a_worker() throws Exception {
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker =
            new WorkerProcess.Recipe(cluster, folder)
                .environment("LC_ALL", "C.UTF-8")
                .start()
                .awaitReady()) {
      checkRoundTrip(cluster.environment(), cluster.name());
      assertThat(worker.alive()).isTrue();
      assertThat(cluster.ports().blobs().list("")).isEmpty();
    }
  }

  private void checkRoundTrip(Map<String, String> surroundings, String queue) throws Exception {
    Path list = Files.write(folder.resolve("names"), String.join("\0", NAMES).getBytes(UTF_8));
    Path script = folder.resolve("run.sh");
    Files.writeString(
        script,
        """
        names=()
        while IFS= read -r -d '' name; do names+=("$name"); done < <(cat "$1"; printf '\\0')
        mkdir -p tool 'in a/folder of/its own'; rmdir 'in a/folder of/its own'
        for name in "${names[@]}"; do
          printf '\\377%s' "$name" > "./$name" || exit 9
          case $name in */*) ;; *) cp -- "./$name" tool/ ;; esac
        done
        "$2/cloudkon" run -s "$3" --out done --ship tool --file {} --collect out -0 -- \\
            sh -c "$4" sh {} :::: names || exit
        """);
    Map<String, String> environment = new HashMap<>(surroundings);
    environment.put("LC_ALL", "C");
    environment.put("CLOUDKON_BUILD", "off");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    List<String> command =
        List.of(
            "bash",
            script.toString(),
            list.toString(),
            System.getProperty("cloudkon.home"),
            queue,
            COPY);
    try (Running run = Processes.start(command, Path.of("/dev/null"), environment, folder)) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
    }
    Map<String, byte[]> tool = contents(folder.resolve("tool"));
    assertThat(tool).hasSize(NAMES.size() - 1);
    for (int i = 0; i < NAMES.size(); i++) {
      Map<String, byte[]> files = contents(folder.resolve("done/files/" + (i + 1)));
      assertThat(files).hasSize(NAMES.size());
      assertThat(files.get("out/" + NAMES.get(i)))
          .isEqualTo(Files.readAllBytes(folder.resolve(NAMES.get(i))));
      tool.forEach(
          (name, bytes) -> assertThat(files.get("out/tool/" + name)).as(name).isEqualTo(bytes));
    }
  }

  private static Map<String, byte[]> contents(Path root) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  @Test
  void rerun_reads_files_again_and_keeps_what_is_collected() throws Exception {
    Files.writeString(folder.resolve("a"), "");
    Files.writeString(folder.resolve("b"), "full");
    Files.writeString(
        folder.resolve("tasks.jsonl"),
        """
        {"id": "first", "shell": "cp a o; test -s a", "files": ["a"]}
        {"id": "b/2", "shell": "cp b o; test -s b", "files": ["b"]}
        """);
    List<String> options = List.of("-w", "tasks.jsonl", "--out", "r", "--collect", "o");
    try (Running client = client(options)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
    }
    assertThat(folder.resolve("r/files/b%2F2/o")).hasContent("full");
    assertThat(folder.resolve("r/files/first")).doesNotExist();
    Files.writeString(folder.resolve("a"), "mended");

    try (Running rerun =
        Processes.start("cloudkon-client", List.of(), List.of("rerun", "r"), Map.of(), folder)) {
      assertThat(rerun.awaitExit(LIMIT)).as(rerun.stderr()).isZero();
    }

    assertThat(folder.resolve("r/rerun-1/files/first/o")).hasContent("mended");
    JsonNode result = Results.read(folder.resolve("r/rerun-1/results.jsonl")).byTask().get("first");
    assertThat(result.at("/files/folder").asText()).isEqualTo("files/first");
    try (Running results =
        Processes.start(
            "cloudkon-client",
            List.of(),
            List.of("results", "r", "--latest", "--format", "jsonl"),
            Map.of(),
            folder)) {
      assertThat(results.awaitExit(LIMIT)).as(results.stderr()).isZero();
      assertThat(results.stdout()).contains("\"files\":{\"count\":1,\"bytes\":6");
    }
  }

  @Test
  void force_replaces_the_files_of_the_run_before() throws Exception {
    Files.writeString(folder.resolve("tasks.jsonl"), "{\"id\": \"1\", \"shell\": \"touch a\"}\n");
    List<String> options = new ArrayList<>(List.of("-w", "tasks.jsonl", "--out", "r"));
    options.addAll(List.of("--collect", "a"));
    try (Running client = client(options)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
    }
    Files.writeString(folder.resolve("tasks.jsonl"), "{\"id\": \"2\", \"shell\": \"touch a\"}\n");
    options.add("--force");

    try (Running client = client(options)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
    }

    assertThat(folder.resolve("r/files/1")).doesNotExist();
    assertThat(folder.resolve("r/files/2/a")).exists();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --collect /etc/*    | --collect '/etc/*' is absolute; expected a pattern of files in the task's directory, such as 'out/*.csv'
          --collect ../*      | --collect '../*' leads out of the directory with '..'; expected a pattern of files in the task's directory
          --collect x[        | --collect 'x[' has a [ without ]
          --collect-files 0   | --collect-files 0: expected 1 or more
          --collect-size 6GiB | --collect-size 6,442,450,944: expected at most 5GiB for each task
          --file nowhere      | --file: "nowhere" does not exist; expected a file that can be read, named from
          --file ../x         | --file: '../x' leads out of the directory with '..'
          --file {2}          | {2} names source 2, but there is one; expected {1}
          """)
  void bad_input_is_one_clear_line_and_nothing_is_sent(String option, String said)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run", "-s", Names.LOCAL, "--out", "never"));
    arguments.addAll(List.of(option.split(" ")));
    arguments.addAll(List.of("--", "true", ":::", "a"));
    try (Running run = Processes.start("cloudkon-client", List.of(), arguments, Map.of(), folder)) {
      assertThat(run.awaitExit(LIMIT)).isEqualTo(2);
      assertThat(run.stderr()).startsWith("cloudkon run: " + said).hasLineCount(1);
    }
    assertThat(folder.resolve("never")).doesNotExist();
  }

  @Test
  void files_that_would_have_nowhere_to_go_are_refused() throws Exception {
    Files.writeString(folder.resolve("tasks.jsonl"), "{\"shell\": \"true\"}\n");

    try (Running client = client(List.of("-w", "tasks.jsonl", "--out", "none", "--collect", "a"))) {
      assertThat(client.awaitExit(LIMIT)).isEqualTo(2);
      assertThat(client.stderr()).contains("--collect cannot be combined with --out none");
    }
  }

  /** They came to nothing, without a word. */
  @Test
  void files_of_jobs_which_bring_none_back_are_refused_or_said() throws Exception {
    Files.writeString(folder.resolve("jobs"), "hpc 2 exec true\n");
    Files.writeString(folder.resolve("both"), "exec touch a\nhpc 2 exec true\n");

    try (Running client = client(List.of("-w", "jobs", "--out", "never", "--collect", "a"))) {
      assertThat(client.awaitExit(LIMIT)).isEqualTo(2);
      assertThat(client.stderr())
          .startsWith("cloudkon client: --collect works only for commands that are not HPC jobs")
          .hasLineCount(1);
      assertThat(folder.resolve("never")).doesNotExist();
    }
    try (Running client = client(List.of("-w", "both", "--out", "out", "--collect", "a"))) {
      assertThat(client.awaitExit(LIMIT)).as(client.stderr()).isZero();
      assertThat(client.stderr()).contains("the 1 job of this workload bring nothing back");
      assertThat(folder.resolve("out/files/1/a")).exists();
    }
  }

  private Running client(List<String> options) {
    List<String> arguments = new ArrayList<>(List.of("-s", Names.LOCAL));
    arguments.addAll(options);
    return Processes.start("cloudkon-client", List.of(), arguments, Map.of(), folder);
  }
}
