package io.cloudkon.client.answers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultColumnsTest {
  private static final String HANDLER =
      "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\",\"worker\":\"local\",\"output\":\"3.14\"}\n";
  private static final String COMMAND =
      "{\"task\":\"2\",\"index\":1,\"status\":\"SUCCEEDED\",\"worker\":\"local\",\"stdout\":\"x\\n\"}\n";

  @TempDir private Path folder;

  private List<String> lines(String results, String status, AnswerFormat format)
      throws IOException {
    Files.writeString(folder.resolve("results.jsonl"), results);
    Choice choice = Choice.of(false, Optional.of(status), "index", Optional.empty());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new FinishedRun(folder).write(choice, format, false, out, OptionalInt.empty(), said -> {});
    return out.toString(UTF_8).lines().toList();
  }

  /** The answers of java tasks looked empty: what a handler returns is no standard output. */
  @Test
  void what_handlers_returned_is_shown_where_a_task_returned_something() throws IOException {
    String both = HANDLER + COMMAND;

    assertThat(lines(both, "SUCCEEDED", AnswerFormat.CSV))
        .containsExactly(
            "task,status,exitCode,seconds,worker,command,stdout,output",
            "1,SUCCEEDED,,,local,,,3.14",
            "2,SUCCEEDED,,,local,,x,");
    assertThat(lines(both, "SUCCEEDED", AnswerFormat.TSV).getFirst()).endsWith("\tstdout\toutput");
    assertThat(lines(both, "SUCCEEDED", AnswerFormat.TABLE).getFirst()).endsWith("stdout  output");
    assertThat(lines(COMMAND, "SUCCEEDED", AnswerFormat.CSV).getFirst()).endsWith(",stdout");
    assertThat(lines(both, "FAILED", AnswerFormat.CSV).getFirst()).endsWith(",error");
  }

  private static String table(int width, String worker, String... commands) {
    AnswerFacts facts = new AnswerFacts();
    List<ObjectNode> results =
        IntStream.range(0, commands.length)
            .mapToObj(i ->
                JsonNodeFactory.instance
                    .objectNode()
                    .put("task", "" + (i + 1))
                    .put("status", "SUCCEEDED")
                    .put("exitCode", 0)
                    .put("worker", worker)
                    .put("stdout", "a line that a task has printed"))
            .toList();
    results.forEach(facts::add);
    StringWriter out = new StringWriter();
    AnswerWriter writer =
        AnswerWriter.of(AnswerFormat.TABLE, Choice.ALL, facts, out, OptionalInt.of(width));
    for (int i = 0; i < commands.length; i++) {
      writer.write(new Answer(results.get(i), new SentTask(commands[i], List.of())));
    }
    writer.end();
    return out.toString();
  }

  /** Tasks that differ in the end of their command looked the same at 80 columns. */
  @Test
  void narrow_table_keeps_the_ends_of_commands_and_omits_the_worker_local() {
    String align = "python3 align.py --reference genome.fa sample_%s.fastq";

    assertThat(table(80, "local", align.formatted("001"), align.formatted("002")))
        .isEqualTo(
            """
            task  status     exitCode  seconds  command                stdout
            1     SUCCEEDED         0           python3 al…_001.fastq  a line that a task h…
            2     SUCCEEDED         0           python3 al…_002.fastq  a line that a task h…
            """);
    assertThat(table(80, "ip-10-0-0-1", align.formatted("001"))).contains("worker", "ip-10-0");
    assertThat(table(200, "local", align.formatted("001"))).contains("worker", "local");
  }

  @Test
  void cut_command_holds_no_half_character() {
    String dna = "\uD83E\uDDEC".repeat(40);

    String row = table(80, "local", dna).lines().skip(1).findFirst().orElseThrow();

    assertThat(UTF_8.newEncoder().canEncode(row)).isTrue();
  }
}
