package io.cloudkon.client.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("results.jsonl");
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readString(path()).lines().toList()) {
      lines.add(JACKSON.readTree(line));
    }
    return lines;
  }

  private JsonNode written(TaskResult result) throws IOException {
    try (ResultsFile file = ResultsFile.create(path())) {
      file.accept(Samples.times(), "w", 1, result, 0);
    }
    return lines().getFirst();
  }

  @Test
  void a_line_looks_as_documented() throws IOException {
    written(Samples.succeeded(16));

    assertThat(Files.readString(path()))
        .isEqualTo(
            """
            {"task":"17","index":16,"status":"SUCCEEDED","exitCode":0,"worker":"w","attempt":1,"tries":1,\
            "startedAt":"2027-01-15T08:00:00.070000Z","seconds":0.010000,\
            "stamps":{"submitted":1800000000000000,"sendBegun":1800000000010000,\
            "sent":1800000000020000,"receiveBegun":1800000000030000,"received":1800000000040000,\
            "claimBegun":1800000000050000,"claimed":1800000000060000,"started":1800000000070000,\
            "finished":1800000000080000,"replyBegun":1800000000090000,"replied":1800000000100000,\
            "collectBegun":1800000000110000,"collected":1800000000120000}}
            """);
  }

  @Test
  void processor_time_is_there_where_it_is_known() throws IOException {
    assertThat(written(Samples.succeeded(0)).has("cpuSeconds")).isFalse();
    assertThat(
            written(Samples.succeeded(0).with(new TaskUsage(0, 1_234_567, 0)))
                .get("cpuSeconds")
                .asDouble())
        .isEqualTo(1.234567);
  }

  @Test
  void peak_memory_is_there_where_it_is_known() throws IOException {
    assertThat(written(Samples.succeeded(0)).has("maxRssBytes")).isFalse();
    assertThat(
            written(Samples.succeeded(0).with(new TaskUsage(0, 1, 3L << 30)))
                .get("maxRssBytes")
                .asLong())
        .isEqualTo(3_221_225_472L);
  }

  @Test
  void time_to_make_files_ready_is_stamped_where_there_were_files() throws IOException {
    JsonNode none = written(Samples.succeeded(0)).get("stamps");
    JsonNode some = written(Samples.succeeded(0).with(new TaskUsage(2_500, 0, 0))).get("stamps");

    assertThat(none.has("stageBegun")).isFalse();
    assertThat(some.get("started").asLong() - some.get("stageBegun").asLong()).isEqualTo(2_500);
  }

  @Test
  void only_what_succeeded_or_a_command_has_an_exit_code() throws IOException {
    for (TaskStatus status :
        List.of(TaskStatus.FAILED, TaskStatus.TIMED_OUT, TaskStatus.CANCELLED, TaskStatus.LOST)) {
      JsonNode line = written(TaskResult.notRun(0, "1", status, "never started", 5));

      assertThat(line.has("exitCode")).isFalse();
      assertThat(line.has("startedAt")).isFalse();
      assertThat(line.has("seconds")).isFalse();
    }
    TaskResult withoutFiles = Samples.succeeded(0).withoutFiles("its files could not be stored");
    assertThat(written(withoutFiles).get("exitCode").asInt(-1))
        .as("its command ended well")
        .isZero();
    assertThat(written(Samples.succeeded(0)).get("exitCode").isInt()).isTrue();
  }

  @Test
  void a_failed_command_has_its_streams_and_error() throws IOException {
    JsonNode line =
        written(
            Samples.result(
                0, TaskStatus.FAILED, 3, "out\n", "oh \"no\"\n\u001b[0m", "exit code 3", 2));

    assertThat(line.get("status").asText()).isEqualTo("FAILED");
    assertThat(line.has("stdoutBase64")).isFalse();
    assertThat(line.get("exitCode").asInt()).isEqualTo(3);
    assertThat(line.get("stdout").asText()).isEqualTo("out\n");
    assertThat(line.get("stderr").asText()).isEqualTo("oh \"no\"\n\u001b[0m");
    assertThat(line.get("error").asText()).isEqualTo("exit code 3");
    assertThat(line.get("tries").asInt()).isEqualTo(2);
    assertThat(line.has("stdoutCut")).isFalse();
  }

  @Test
  void stdout_that_is_no_text_shows_replacement_characters_with_the_bytes_beside_it()
      throws IOException {
    JsonNode line = written(Samples.withStdout(new byte[] {'a', -1, 'b'}, 3));

    assertThat(line.get("stdout").asText()).isEqualTo("a\ufffdb");
    assertThat(line.get("stdoutBase64").binaryValue()).containsExactly('a', -1, 'b');
  }

  @Test
  void a_cut_stream_says_so_and_ends_with_a_whole_character() throws IOException {
    byte[] euro = "5 €".getBytes(StandardCharsets.UTF_8);

    JsonNode line = written(Samples.withStdout(java.util.Arrays.copyOf(euro, 4), 900));

    assertThat(line.get("stdout").asText()).isEqualTo("5 ");
    assertThat(line.get("stdoutCut").asBoolean()).isTrue();
    assertThat(line.get("stdoutBytes").asLong()).isEqualTo(900);
  }

  @Test
  void a_stream_of_which_nothing_is_kept_says_so() throws IOException {
    JsonNode line = written(Samples.withStdout(new byte[0], 12));

    assertThat(line.get("stdout").asText()).isEmpty();
    assertThat(line.get("stdoutBytes").asLong()).isEqualTo(12);
  }

  @Test
  void output_that_is_text_is_text() throws IOException {
    JsonNode line = written(Samples.withOutput("€".getBytes(StandardCharsets.UTF_8), 3));

    assertThat(line.get("output").asText()).isEqualTo("€");
    assertThat(line.has("outputEncoding")).isFalse();
  }

  @Test
  void output_that_is_no_text_is_base64() throws IOException {
    byte[] bytes = {1, -1, 2};

    JsonNode line = written(Samples.withOutput(bytes, 77));

    assertThat(Base64.getDecoder().decode(line.get("output").asText())).isEqualTo(bytes);
    assertThat(line.get("outputEncoding").asText()).isEqualTo("base64");
    assertThat(line.get("outputBytes").asLong()).isEqualTo(77);
  }

  @Test
  void text_cut_within_a_character_stays_text() throws IOException {
    JsonNode line = written(Samples.withOutput(new byte[] {'a', (byte) 0xe2, (byte) 0x82}, 50));

    assertThat(line.get("output").asText()).isEqualTo("a");
    assertThat(line.get("outputCut").asBoolean()).isTrue();
  }

  @Test
  void tasks_of_different_bundles_and_workers_have_their_own_stamps() throws IOException {
    BundleTimes other = BundleTimes.withoutWorker(1, 2, 3, 4);
    try (ResultsFile file = ResultsFile.create(path())) {
      file.accept(Samples.times(), "a", 1, Samples.succeeded(0), 0);
      file.accept(other, "a", 1, Samples.succeeded(1), 0);
      file.accept(other, "b\"", 1, Samples.succeeded(2), 0);
      file.accept(other, "b\"", 2, Samples.succeeded(3), 0);
    }

    assertThat(lines())
        .extracting(l -> l.get("worker").asText() + l.get("attempt") + l.at("/stamps/collected"))
        .containsExactly("a1" + Samples.at(Stamp.COLLECTED), "a14", "b\"14", "b\"24");
  }

  @Test
  void synced_lines_are_in_the_file_before_it_is_closed() throws IOException {
    try (ResultsFile file = ResultsFile.create(path())) {
      file.accept(Samples.times(), "w", 1, Samples.succeeded(0), 0);
      file.flushAndSync();

      assertThat(lines()).hasSize(1);
    }
  }

  @Test
  void many_and_large_lines_stay_whole() throws IOException {
    String large = "é\u0000x".repeat(200_000);
    try (ResultsFile file = ResultsFile.create(path())) {
      for (int i = 0; i < 3_000; i++) {
        String out = i % 1_000 == 0 ? large : "";
        file.accept(
            Samples.times(), "w", 1, Samples.result(i, TaskStatus.SUCCEEDED, 0, out, "", "", 1), 0);
      }
    }

    List<JsonNode> lines = lines();
    assertThat(lines).hasSize(3_000);
    assertThat(lines.get(1_000).get("stdout").asText()).isEqualTo(large);
  }

  @Test
  void append_cuts_off_a_half_line_and_goes_on() throws IOException {
    written(Samples.succeeded(0));
    Files.writeString(path(), "{\"task\":\"2\",\"sta", StandardOpenOption.APPEND);

    try (ResultsFile file = ResultsFile.append(path())) {
      file.accept(Samples.times(), "w", 1, Samples.succeeded(1), 0);
    }

    assertThat(lines()).extracting(line -> line.get("task").asText()).containsExactly("1", "2");
  }

  @Test
  void append_cuts_off_a_half_line_longer_than_a_chunk() throws IOException {
    written(Samples.succeeded(0));
    Files.writeString(path(), "x".repeat(300_000), StandardOpenOption.APPEND);

    ResultsFile.append(path()).close();

    assertThat(lines()).hasSize(1);
  }

  @Test
  void append_to_nothing_makes_a_new_file() throws IOException {
    ResultsFile.append(path()).close();

    assertThat(path()).isEmptyFile();
  }

  @Test
  void a_file_with_only_a_half_line_becomes_empty() throws IOException {
    Files.writeString(path(), "{\"task\"");

    ResultsFile.append(path()).close();

    assertThat(path()).isEmptyFile();
  }

  @Test
  void a_path_that_cannot_be_written_is_named() {
    assertThatThrownBy(() -> ResultsFile.create(folder.resolve("no/results.jsonl")))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("cannot create")
        .hasMessageContaining("results.jsonl");
  }

  /** And not one that is tried again, as a result in memory only must not be confirmed. */
  @Test
  void failure_to_write_is_one_that_ends_the_run() throws IOException {
    AppendFile file = AppendFile.create(path());
    file.close();
    assertThatThrownBy(() -> file.write(new byte[1], 1))
        .isInstanceOf(UnwritableFolderException.class)
        .hasMessageContaining("cannot write to " + path());
    assertThatThrownBy(file::sync).isInstanceOf(UnwritableFolderException.class);
  }

  @Test
  void an_interrupted_thread_still_writes() throws IOException {
    try (ResultsFile file = ResultsFile.create(path())) {
      Thread.currentThread().interrupt();
      file.accept(Samples.times(), "w", 1, Samples.succeeded(0), 0);
      file.flushAndSync();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }

    assertThat(lines()).hasSize(1);
  }

  @Test
  void job_is_one_line_with_its_ranks() throws IOException {
    JsonNode line =
        written(
            Samples.job(
                0,
                TaskStatus.FAILED,
                Samples.rank(0, "a", 0, "hello\n", ""),
                new RankResult(1, "b", 3, new byte[] {'x', -1}, "no\n".getBytes(UTF_8))));

    assertThat(lines()).hasSize(1);
    assertThat(line.get("ranks").toString())
        .isEqualTo(
            """
            [{"rank":0,"worker":"a","exitCode":0,"stdout":"hello\\n"},\
            {"rank":1,"worker":"b","exitCode":3,"stdout":"x\ufffd","stdoutBase64":"eP8=",\
            "stderr":"no\\n"}]\
            """);
    assertThat(line.get("worker").asText()).isEqualTo("w");
    assertThat(line.at("/stamps/collected").asLong()).isPositive();
  }

  @Test
  void task_has_no_ranks() throws IOException {
    assertThat(written(Samples.succeeded(0)).has("ranks")).isFalse();
  }
}
