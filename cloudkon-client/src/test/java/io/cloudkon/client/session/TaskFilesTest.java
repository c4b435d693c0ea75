package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.client.report.FilesFolder;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.testing.Intercepted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that single tasks need, and files that they bring back, from client to worker and back. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class TaskFilesTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Names that shells, terminals and encodings stumble over. */
  private static final List<String> NAMES =
      List.of(
          "two words",
          "it's",
          "$HOME \"quoted\" `id`",
          "new\nline",
          "-n",
          "größe € 漢字 🚀",
          "x".repeat(250),
          "semi;colon & * ?",
          "[a]",
          "back\\slash",
          "folder/in a/folder");

  @TempDir Path temp;
  private Path inputs;

  @BeforeEach
  void inputs() throws IOException {
    inputs = Files.createDirectory(temp.resolve("inputs"));
  }

  @Test
  void names_that_hurt_come_back_byte_for_byte_through_a_storm_of_faults() throws Exception {
    byte[] content = {0, 1, (byte) 0xFF, '\r', '\n'};
    for (String name : NAMES) {
      Path file = inputs.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, content);
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      lines.add(line("id/" + i, "mkdir .out && cp -r -- * .out && mv .out out", NAMES, "out"));
    }
    try (SessionBed bed = bed(Misbehaviour.storm(7), lines)) {
      bed.worker();
      bed.worker();

      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(12);
      for (int i = 0; i < 12; i++) {
        Map<String, byte[]> files = contents(bed, "id/" + i);
        assertThat(files.keySet()).containsExactlyInAnyOrderElementsOf(inOut(NAMES));
        assertThat(files.values()).allSatisfy(bytes -> assertThat(bytes).isEqualTo(content));
      }
      assertNothingElse(bed, 12);
      // a storm may keep the client from removing objects: a lifecycle rule does then
    }
  }

  @Test
  void same_content_is_stored_once_and_tasks_without_files_ask_the_blob_store_nothing()
      throws Exception {
    Files.writeString(inputs.resolve("a"), "same");
    Files.writeString(inputs.resolve("b"), "same");
    List<String> lines =
        List.of(
            line("1", "cat a", List.of("a"), null),
            line("2", "cat b", List.of("b"), null),
            line("3", "true", List.of(), null));
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    try (SessionBed bed = bed(Misbehaviour.none(), lines)) {
      bed.worker();

      bed.run(bed.session(counted(bed, calls)));

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(3);
      assertThat(calls).containsExactly("put", "removeAll");
      bed.assertNothingIsLeft();
    }
    calls.clear();
    Path other = Files.createDirectory(temp.resolve("other"));
    try (SessionBed bed = bed(Misbehaviour.none(), List.of(lines.getLast()), other)) {
      bed.worker();
      bed.run(bed.session(counted(bed, calls)));
      assertThat(calls).isEmpty();
    }
  }

  @Test
  void result_says_what_came_and_what_was_left_out() throws Exception {
    List<String> lines =
        List.of(
            line("1", "mkdir out; printf 12 > out/a; ln -s a out/b", List.of(), "out/*"),
            line("2", "true", List.of(), "out/*"),
            line("3", "mkdir out; touch out/a; exit 4", List.of(), "out/*"));
    try (SessionBed bed = bed(Misbehaviour.none(), lines)) {
      bed.options = bed.options.with(new CollectRule(List.of(), true, 100, 100));
      bed.worker();

      bed.run(bed.session(bed.cluster()));
      bed.assertNothingIsLeft();

      Map<String, JsonNode> files = new TreeMap<>();
      for (String result : bed.results()) {
        JsonNode node = JSON.readTree(result);
        files.put(node.path("task").asText(), node.path("files"));
      }
      assertThat(files.get("1"))
          .isEqualTo(
              JSON.readTree(
                  """
                  {"count":1,"bytes":2,"folder":"files/1","names":[{"name":"out/a","bytes":2}],
                   "leftOutCount":1,"leftOut":[{"name":"out/b",
                     "why":"is a symbolic link, and links are not followed"}]}\
                  """));
      assertThat(files.get("2").path("count").asInt()).isZero();
      assertThat(files.get("2").at("/leftOut/0/why").asText()).contains("nothing matches");
      assertThat(files.get("3").path("count").asInt()).isEqualTo(1);
      assertThat(bed.folder.resolve("files/1/out/a")).hasContent("12");
      assertThat(bed.folder.resolve("files/2")).doesNotExist();
    }
  }

  @Test
  void files_that_are_gone_fail_their_task_and_what_it_printed_stays() throws Exception {
    List<String> lines = List.of(line("1", "mkdir out; touch out/a; echo done", List.of(), "out"));
    try (SessionBed bed = bed(Misbehaviour.none(), lines)) {
      bed.worker();
      Cluster whole = bed.cluster();

      bed.run(
          bed.session(
              Intercepted.blobs(
                  whole,
                  (method, args, call) ->
                      method.equals("get") && args.length == 2 ? false : call.make())));

      JsonNode result = JSON.readTree(bed.results().getFirst());
      assertThat(result.path("status").asText()).isEqualTo("FAILED");
      assertThat(result.path("error").asText())
          .startsWith("its files are no longer in the blob store");
      assertThat(result.path("stdout").asText()).isEqualTo("done\n");
      assertThat(result.at("/files/error").asText()).isEqualTo(result.path("error").asText());
    }
  }

  @Test
  void file_that_is_gone_when_its_task_is_sent_fails_this_task_alone() throws Exception {
    List<String> lines =
        List.of(
            line("1", "cat a", List.of("a"), null),
            line("2", "cat b", List.of("b"), null),
            line("3", "cat c", List.of("c"), null));
    Files.writeString(inputs.resolve("b"), "there");
    Files.createDirectory(inputs.resolve("c"));
    try (SessionBed bed = bed(Misbehaviour.none(), lines)) {
      bed.worker();

      bed.run(bed.session(bed.cluster()));

      Map<String, JsonNode> results = new TreeMap<>();
      for (String result : bed.results()) {
        JsonNode node = JSON.readTree(result);
        results.put(node.path("task").asText(), node);
      }
      assertThat(results.get("1").path("status").asText()).isEqualTo("FAILED");
      assertThat(results.get("1").path("error").asText())
          .startsWith("its file 'a' could not be read when the task was sent; restore it");
      assertThat(results.get("2").path("stdout").asText()).isEqualTo("there");
      assertThat(results.get("3").path("error").asText()).startsWith("its file 'c' could not");
    }
  }

  @Test
  void interrupted_run_that_is_resumed_has_every_tasks_files_once() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      lines.add(line("t" + i, "echo $CLOUDKON_TASK > o", List.of(), "o"));
    }
    try (SessionBed bed = bed(Misbehaviour.storm(3), lines)) {
      RunSession first = bed.session(bed.cluster());
      var ended = bed.start(first);
      bed.worker();
      await().atMost(Duration.ofMinutes(1)).until(() -> first.counts().finished() > 5);
      first.interrupt();
      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      Files.createDirectories(bed.folder.resolve("files/.new-99/left"));

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.results())
          .hasSize(40)
          .allSatisfy(result -> assertThat(result).contains("SUCCEEDED"));
      for (int i = 0; i < 40; i++) {
        assertThat(bed.folder.resolve("files/t" + i + "/o")).hasContent("t" + i + "\n");
      }
      assertNothingElse(bed, 40);
    }
  }

  /** Its fetch was aborted, and the task that had succeeded became CANCELLED. */
  @Test
  void files_that_are_being_fetched_when_their_run_is_cancelled_still_count() throws Exception {
    CountDownLatch fetching = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (SessionBed bed =
        bed(Misbehaviour.none(), List.of(line("1", "echo done > o", List.of(), "o")))) {
      Cluster slow =
          Intercepted.blobs(
              bed.cluster(),
              (method, args, call) -> {
                if (method.equals("get") && args.length == 2) {
                  fetching.countDown();
                  awaitOrBreakOff(go);
                }
                return call.make();
              });
      Cluster told =
          Intercepted.responses(
              slow,
              (method, args, call) -> {
                Object answer = call.make();
                if (method.equals("receive") && cancelled.getCount() == 0) {
                  // later than what follows a receive that brings nothing
                  CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                      .execute(go::countDown);
                }
                return answer;
              });
      RunSession session = bed.session(told);
      var ended = bed.start(session);
      bed.worker();
      fetching.await();

      cancelled.countDown();
      assertThat(session.cancel()).isTrue();

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.results()).singleElement().asString().contains("SUCCEEDED");
      assertThat(bed.folder.resolve("files/1/o")).hasContent("done\n");
    }
  }

  private static void awaitOrBreakOff(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientServiceException("interrupted", e);
    }
  }

  private SessionBed bed(Misbehaviour misbehaviour, List<String> lines) throws IOException {
    return bed(misbehaviour, lines, temp);
  }

  private SessionBed bed(Misbehaviour misbehaviour, List<String> lines, Path place)
      throws IOException {
    SessionBed bed =
        new SessionBed(
            misbehaviour,
            Consistency.EXACTLY_ONCE,
            lines,
            new BundlerSettings(3, 20, 60 * 1024, true),
            place);
    bed.options = bed.options.in(inputs);
    return bed;
  }

  private static String line(String id, String shell, List<String> files, String collect) {
    ObjectNode line = JSON.createObjectNode();
    line.put("id", id);
    line.put("shell", shell);
    if (!files.isEmpty()) {
      files.forEach(line.putArray("files")::add);
    }
    if (collect != null) {
      line.putArray("collect").add(collect);
    }
    return line.toString();
  }

  private static List<String> inOut(List<String> names) {
    return names.stream().map(name -> "out/" + name).toList();
  }

  private static Map<String, byte[]> contents(SessionBed bed, String task) throws IOException {
    Path folder = bed.folder.resolve(FilesFolder.of(task));
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        contents.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  /** Besides the tasks' folders only the mark that it is a run's. */
  private static void assertNothingElse(SessionBed bed, int tasks) throws IOException {
    try (Stream<Path> all = Files.list(bed.folder.resolve("files"))) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .hasSize(tasks + 1)
          .contains(".cloudkon")
          .noneMatch(name -> name.startsWith(".new-"));
    }
  }

  private static Cluster counted(SessionBed bed, List<String> calls) {
    return Intercepted.blobs(
        bed.cluster(),
        (method, args, call) -> {
          calls.add(method);
          return call.make();
        });
  }
}
