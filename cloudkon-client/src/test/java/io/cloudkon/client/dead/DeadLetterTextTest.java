package io.cloudkon.client.dead;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadLetterTextTest {
  private final Letters letters = new Letters();

  private DeadLetter only() throws InterruptedException {
    return letters.all().getFirst();
  }

  private String shown() throws InterruptedException {
    return DeadLetterText.of(only(), "Q", letters.time.serviceMillis());
  }

  @Test
  void row_fits_the_window_and_steers_no_terminal() throws Exception {
    letters.dies(
        Letters.bundle("r1", 0, Letters.echo(0, "a")), "its worker died " + "x".repeat(200));

    String row = DeadLetterText.row(LetterLine.of(only()), letters.time.serviceMillis(), 80);

    assertThat(row).hasSize(80).startsWith(only().shortId()).contains("r1").endsWith("...");
  }

  @Test
  void row_of_what_cannot_be_read_has_no_number_of_tasks() throws Exception {
    letters.diesUnread("garbage", "no bundle");

    String row = DeadLetterText.row(LetterLine.of(only()), letters.time.serviceMillis(), 200);

    assertThat(row).containsPattern("r9 +\\?").endsWith("no bundle");
  }

  @Test
  void show_writes_each_task_as_a_line_of_a_workload() throws Exception {
    Task stored =
        new Task(
            3, "big", new Work.Stored(Work.Kind.EXEC, new Content("0".repeat(64), 999_999, "")), 0);
    letters.dies(Letters.bundle("r1", 4, Letters.echo(2, "a"), stored), "its worker died");

    assertThat(shown().lines())
        .contains(
            "  run         r1",
            "  bundle      r1/e/4",
            "  reason      its worker died",
            "2 tasks, as in a .jsonl workload:",
            "{\"id\":\"a\",\"java\":\"echo\",\"args\":[\"a\"],\"retries\":0}")
        .last()
        .asString()
        .contains("\"big\"", "blob store, 999,999 bytes");
  }

  @Test
  void show_names_shipped_files() throws Exception {
    Content ship = new Content("0".repeat(64), 5, "data");
    letters.dies(Letters.bundle("r1", 0, List.of(ship), Letters.echo(0, "a")), "x");

    assertThat(shown()).contains("shipped     data");
  }

  @Test
  void show_gives_an_excerpt_of_what_cannot_be_read() throws Exception {
    letters.diesUnread("garbage " + "z".repeat(200), "no bundle");

    assertThat(shown().lines())
        .contains("  size        208 bytes")
        .contains("0000  67 61 72 62 61 67 65 20 7a 7a 7a 7a 7a 7a 7a 7a  garbage zzzzzzzz")
        .last()
        .isEqualTo("and 80 bytes more");
  }

  @Test
  void json_has_what_the_table_has() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");

    assertThat(DeadLetterJson.of("Q", List.of(LetterLine.of(only()))))
        .contains(
            "\"cluster\" : \"Q\"",
            "\"id\" : \"" + only().id(),
            "\"run\" : \"r1\"",
            "\"decoded\" : true",
            "\"tasks\" : 1",
            "\"reason\" : \"x\"");
  }

  @Test
  void json_of_a_letter_has_its_tasks_as_in_a_workload_or_what_could_not_be_read()
      throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");
    JsonNode tasks = new ObjectMapper().readTree(DeadLetterJson.of("Q", only()));
    assertThat(tasks.path("run").asText()).isEqualTo("r1");
    assertThat(tasks.path("tasks")).hasSize(1);
    assertThat(tasks.path("tasks").path(0).path("id").asText()).isEqualTo("a");

    Letters others = new Letters();
    others.diesUnread("garbage", "no bundle");
    JsonNode unread = new ObjectMapper().readTree(DeadLetterJson.of("Q", others.all().getFirst()));
    assertThat(unread.has("tasks")).isFalse();
    assertThat(unread.path("problem").asText()).isNotEmpty();
    assertThat(unread.path("payload").binaryValue()).isEqualTo("garbage".getBytes(UTF_8));
  }
}
