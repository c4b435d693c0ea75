package io.cloudkon.client.answers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedRunTest {
  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();
  private Path results;
  private OptionalInt width = OptionalInt.empty();
  private boolean latest;

  @BeforeEach
  void writeResults() throws IOException {
    results = folder.resolve("results.jsonl");
    Files.writeString(
        results,
        line(
                "b",
                1,
                "FAILED",
                "3",
                "\"error\":\"exit code 3\",\"stderr\":\"no\\u001B[2J\"",
                2_500_000)
            + line("c", 2, "SUCCEEDED", "0", "\"stdout\":\"=1+1\\n\"", 500)
            + line(
                "a", 0, "SUCCEEDED", "0", "\"stdout\":\"one, \\\"two\\\"\\tthree\\n\"", 1_000_000)
            + "{\"task\":\"d\",\"index\":3,\"status\":\"LOST\",\"error\":\"-1 of"
            + " 3\",\"stamps\":{\"started\":0,\"finished\":0}}\n"
            + "{\"task\":\"cut");
  }

  private static String line(
      String task, int index, String status, String code, String more, long micros) {
    return "{\"task\":\"%s\",\"index\":%d,\"status\":\"%s\",\"exitCode\":%s,%s,\"worker\":\"w\",\"attempt\":1,\"tries\":1,\"startedAt\":\"2026-01-01T00:00:00.000000Z\",\"seconds\":%d.%06d}\n"
        .formatted(task, index, status, code, more, micros / 1_000_000, micros % 1_000_000);
  }

  private String written(AnswerFormat format, boolean failed, String sort, String columns)
      throws IOException {
    Choice choice =
        Choice.of(
            failed,
            Optional.empty(),
            sort,
            columns.isEmpty() ? Optional.empty() : Optional.of(columns));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new FinishedRun(folder).write(choice, format, latest, out, width, said::add);
    return out.toString(UTF_8);
  }

  @Test
  void table_is_in_the_order_of_the_workload() throws IOException {
    assertThat(written(AnswerFormat.TABLE, false, "index", "task,status,exitCode,seconds,stdout"))
        .isEqualTo(
            """
            task  status     exitCode  seconds  stdout
            a     SUCCEEDED         0    1.000  one, "two"\\tthree
            b     FAILED            3    2.500
            c     SUCCEEDED         0    0.001  =1+1
            d     LOST
            """);
  }

  @Test
  void table_without_reasons_says_how_to_see_them() throws IOException {
    String hint = "--failed shows the reasons of tasks that did not succeed";

    String usual = written(AnswerFormat.TABLE, false, "index", "");
    assertThat(usual).doesNotContain("exit code 3");
    assertThat(said).contains(hint);
    said.clear();

    assertThat(written(AnswerFormat.TABLE, true, "index", "")).contains("exit code 3");
    String unused = written(AnswerFormat.TABLE, false, "index", "task,status");
    unused = written(AnswerFormat.CSV, false, "index", "");
    assertThat(said).doesNotContain(hint);
  }

  @Test
  void table_fits_a_terminal_by_cutting_the_widest_texts() throws IOException {
    width = OptionalInt.of(45);

    String table = written(AnswerFormat.TABLE, false, "index", "task,status,exitCode,stdout,error");

    assertThat(table)
        .isEqualTo(
            """
            task  status     exitCode  stdout    error
            a     SUCCEEDED         0  one, "t…
            b     FAILED            3            exit co…
            c     SUCCEEDED         0  =1+1
            d     LOST                           -1 of 3
            """);
  }

  @Test
  void empty_table_says_why() throws IOException {
    Files.writeString(results, "");

    assertThat(written(AnswerFormat.TABLE, true, "index", "task")).isEqualTo("task\n");
    assertThat(written(AnswerFormat.TABLE, false, "index", "task")).isEqualTo("task\n");

    assertThat(said)
        .containsExactly(
            "no result has one of these: FAILED, TIMED_OUT, CANCELLED, LOST",
            "there are no results");
  }

  @Test
  void reruns_that_are_left_out_are_mentioned() throws IOException {
    Files.createDirectory(folder.resolve("rerun-1"));

    String table = written(AnswerFormat.TSV, false, "index", "task");

    assertThat(table).isEqualTo("task\na\nb\nc\nd\n");
    assertThat(said).containsExactly("the run has reruns; --latest includes their results");
  }

  @Test
  void csv_is_what_a_spreadsheet_takes_for_text() throws IOException {
    assertThat(written(AnswerFormat.CSV, false, "index", "task,stdout,error,exitCode,startedAt"))
        .isEqualTo(
            """
            task,stdout,error,exitCode,startedAt
            a,"one, ""two""\tthree",,0,2026-01-01T00:00:00.000000Z
            b,,exit code 3,3,2026-01-01T00:00:00.000000Z
            c,'=1+1,,0,2026-01-01T00:00:00.000000Z
            d,,'-1 of 3,,
            """);
  }

  @Test
  void numbers_stay_numbers_and_cut_outputs_are_told() throws IOException {
    Files.writeString(
        results,
        "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\",\"stdout\":\"-.5\\n\"}\n"
            + "{\"task\":\"2\",\"index\":1,\"status\":\"SUCCEEDED\",\"stdout\":\"-inf\\n\",\"stdoutCut\":true,\"stdoutBytes\":9}\n"
            + "{\"task\":\"3\",\"index\":2,\"status\":\"SUCCEEDED\",\"stdout\":\"-1+x\\n\\n\"}\n");

    assertThat(written(AnswerFormat.CSV, false, "index", "stdout"))
        .isEqualTo("stdout\n-.5\n-inf\n'-1+x\n");
    assertThat(said)
        .contains("of 1 task, only the beginning of the output was kept; see --capture");
    said.clear();
    assertThat(written(AnswerFormat.CSV, false, "index", "task")).startsWith("task\n1\n");
    assertThat(said).noneMatch(line -> line.contains("--capture"));
  }

  @Test
  void outputs_of_ranks_that_are_not_shown_are_told() throws IOException {
    Files.writeString(
        results,
        "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\",\"stdout\":\"r0\\n\",\"ranks\":[{\"rank\":0,\"stdout\":\"r0\\n\"},{\"rank\":1,\"stdout\":\"r1\\n\"}]}\n"
            + "{\"task\":\"mpi\",\"index\":1,\"status\":\"SUCCEEDED\",\"stdout\":\"pi\\n\",\"ranks\":[{\"rank\":0},{\"rank\":1}]}\n"
            + "{\"task\":\"bare\",\"index\":2,\"status\":\"SUCCEEDED\",\"ranks\":[{\"rank\":0},{\"rank\":1,\"stdout\":\"r1\\n\"}]}\n");
    String hidden =
        "of 1 HPC job, the output is that of rank 0, or of the rank that failed; cat RUN/TASK"
            + " prints those of all ranks";

    assertThat(written(AnswerFormat.CSV, false, "index", "task,stdout"))
        .isEqualTo("task,stdout\n1,r0\nmpi,pi\nbare,\n");
    assertThat(said).contains(hidden);
    said.clear();
    String unused = written(AnswerFormat.JSONL, false, "index", "stdout");
    assertThat(said).contains(hidden);
    said.clear();

    unused = written(AnswerFormat.JSONL, false, "index", "");
    unused = written(AnswerFormat.TSV, false, "index", "task,stderr");
    unused = written(AnswerFormat.CSV, false, "index", "task,seconds");
    assertThat(said).doesNotContain(hidden);
  }

  @Test
  void tsv_has_a_line_for_each_task() throws IOException {
    assertThat(written(AnswerFormat.TSV, false, "index", "task,stdout,stderr"))
        .isEqualTo(
            "task\tstdout\tstderr\n"
                + "a\tone, \"two\"\\tthree\t\n"
                + "b\t\tno\\u001b[2J\n"
                + "c\t'=1+1\t\n"
                + "d\t\t\n");
  }

  @Test
  void what_failed_can_be_had_alone_and_in_any_order() throws IOException {
    assertThat(written(AnswerFormat.TSV, true, "index", "task")).isEqualTo("task\nb\nd\n");
    assertThat(written(AnswerFormat.TSV, false, "seconds", "task")).isEqualTo("task\nc\na\nb\nd\n");
    assertThat(written(AnswerFormat.TSV, false, "status", "task,status"))
        .isEqualTo("task\tstatus\nb\tFAILED\nd\tLOST\na\tSUCCEEDED\nc\tSUCCEEDED\n");
  }

  @Test
  void minus_before_a_column_sorts_the_largest_value_first() throws IOException {
    assertThat(written(AnswerFormat.TSV, false, "-seconds", "task"))
        .as("without a value last")
        .isEqualTo("task\nb\na\nc\nd\n");
    assertThat(written(AnswerFormat.TSV, false, "-status", "task"))
        .as("equal ones in the order of the workload")
        .isEqualTo("task\na\nc\nd\nb\n");
    assertThat(written(AnswerFormat.TSV, false, "-index", "task")).isEqualTo("task\nd\nc\nb\na\n");
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "-secnds", ""))
        .hasMessage("--sort -secnds: there is no such column; did you mean '-seconds'?");
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "--seconds", ""))
        .hasMessage("--sort --seconds: there is no such column; did you mean '-seconds'?");
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "-", ""))
        .hasMessageStartingWith(
            "--sort -: there is no such column; expected one of -task, -index, -status");
  }

  @Test
  void json_lines_are_those_of_the_results_or_of_the_columns() throws IOException {
    List<String> lines = Files.readAllLines(results);
    assertThat(written(AnswerFormat.JSONL, true, "index", ""))
        .isEqualTo(lines.get(0).replace("2.500000", "2.5") + "\n" + lines.get(3) + "\n");
    assertThat(said).containsExactly("no commands: no journal records what was sent");
    assertThat(written(AnswerFormat.JSONL, false, "index", "task,seconds,exitCode"))
        .startsWith("{\"task\":\"a\",\"seconds\":1,\"exitCode\":0}\n")
        .endsWith("{\"task\":\"d\"}\n");
  }

  @Test
  void names_that_are_none_are_refused() throws IOException {
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "index", "task,cost"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "--columns cost: there is no such column; expected one of task, index");
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "index", "task,secnds"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--columns secnds: there is no such column; did you mean 'seconds'?");
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "size", ""))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--sort size: there is no such column");
    assertThatThrownBy(
            () -> Choice.of(false, Optional.of("failed,gone"), "index", Optional.empty()))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "--status gone: there is no such status; expected one of SUCCEEDED");
    assertThatThrownBy(() -> FinishedRun.of(folder + "/other"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("neither a folder with results nor a run whose folder is here");
  }

  @Test
  void line_that_is_no_result_is_told() throws IOException {
    Files.writeString(results, "\n{\"task\":1}\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "index", "task"))
        .isInstanceOfSatisfying(
            LocalFileException.class, e -> assertThat(e.exitCode()).isEqualTo(1))
        .hasMessageContaining("no result at byte");
  }

  @Test
  void output_of_a_task_comes_byte_for_byte() throws IOException {
    Files.writeString(
        results,
        "{\"task\":\"x/y\",\"index\":0,\"status\":\"SUCCEEDED\",\"stdout\":\"?\",\"stdoutBase64\":\"/wA=\",\"stdoutCut\":true,\"stdoutBytes\":9}\n"
            + "{\"task\":\"2\",\"index\":1,\"status\":\"SUCCEEDED\",\"output\":\"answer\"}\n"
            + "{\"task\":\"3\",\"index\":2,\"status\":\"FAILED\",\"stdout\":\"r0\\n\",\"ranks\":[{\"rank\":0,\"stdout\":\"r0\\n\"},{\"rank\":1,\"stdout\":\"r1\\n\",\"stderr\":\"bad\"}]}\n"
            + "{\"task\":\"mpi\",\"index\":3,\"status\":\"SUCCEEDED\",\"stdout\":\"pi\\n\",\"ranks\":[{\"rank\":0},{\"rank\":1}]}\n"
            + "{\"task\":\"5\",\"index\":4,\"status\":\"FAILED\",\"error\":\"exit code"
            + " 1\",\"stderr\":\"no\"}\n");

    TaskOutput bytes = TaskOutput.of(folder + "/x/y", false, false);
    assertThat(bytes.parts()).containsExactly(new byte[] {(byte) 0xFF, 0});
    assertThat(bytes.cut()).startsWith("2 of 9 bytes were kept");
    assertThat(text(TaskOutput.of(folder + "/2", false, false))).isEqualTo("answer");
    assertThat(text(TaskOutput.of(folder + "/3", false, false))).isEqualTo("r0\nr1\n");
    assertThat(text(TaskOutput.of(folder + "/3", true, false))).isEqualTo("bad");
    assertThat(text(TaskOutput.of(folder + "/mpi", false, false))).isEqualTo("pi\n");
    assertThat(TaskOutput.of(folder + "/5", false, false).cut())
        .isEqualTo("nothing was printed; it ended as FAILED: exit code 1; see --stderr");
    assertThat(TaskOutput.of(folder + "/5", true, false).cut()).isEmpty();
    List<TaskOutput> all = new ArrayList<>();
    TaskOutput.each(folder.toString(), false, false, all::add);
    assertThat(all).hasSize(5);
    assertThat(all.getFirst().parts()).containsExactly(new byte[] {(byte) 0xFF, 0});
    assertThat(text(all.get(1))).as("with a line end, as others follow").isEqualTo("answer\n");
    assertThat(text(all.get(3))).isEqualTo("pi\n");
    assertThatThrownBy(() -> TaskOutput.of(folder + "/4", false, false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("task '4' has no result");
    assertThatThrownBy(() -> TaskOutput.of("17", false, false))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("17: expected a run, or RUN/TASK");
    assertThatThrownBy(() -> TaskOutput.of("nowhere/17", false, false))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("nowhere: neither");
  }

  @Test
  void outputs_without_a_line_end_do_not_run_together() throws IOException {
    Files.writeString(
        results,
        "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\",\"stdout\":\"one\"}\n"
            + "{\"task\":\"2\",\"index\":1,\"status\":\"SUCCEEDED\",\"stdout\":\"\"}\n"
            + "{\"task\":\"3\",\"index\":2,\"status\":\"SUCCEEDED\",\"ranks\":[{\"rank\":0,\"stdout\":\"3\"},{\"rank\":1,\"stdout\":\"3\"}]}\n"
            + "{\"task\":\"4\",\"index\":3,\"status\":\"SUCCEEDED\",\"ranks\":[{\"rank\":0,\"stdout\":\"4\"},{\"rank\":1}]}\n");

    List<String> all = new ArrayList<>();
    TaskOutput.each(
        folder.toString(),
        false,
        false,
        output -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          assertThatNoException().isThrownBy(() -> output.writeTo(out));
          all.add(out.toString(UTF_8));
        });
    assertThat(all).containsExactly("one\n", "", "3\n3\n", "4\n");

    assertThat(text(TaskOutput.of(folder + "/1", false, false))).isEqualTo("one");
    assertThat(text(TaskOutput.of(folder + "/3", false, false))).isEqualTo("3\n3\n");
    assertThat(text(TaskOutput.of(folder + "/4", false, false))).isEqualTo("4");
  }

  private static String text(TaskOutput output) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    output.writeTo(out);
    return out.toString(UTF_8);
  }

  @Test
  void results_that_are_there_and_cannot_be_opened_are_no_wrong_usage() throws IOException {
    Files.delete(results);
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "index", "task"))
        .isInstanceOf(UsageException.class)
        .hasMessageEndingWith("cannot be read: expected a run's folder with results");

    Files.createDirectory(results);
    assertThatThrownBy(() -> written(AnswerFormat.TSV, false, "index", "task"))
        .isInstanceOf(LocalFileException.class)
        .hasMessage(results + " cannot be read: Is a directory");
  }
}
