package io.cloudkon.client.workload;

import static io.cloudkon.client.workload.MemorySource.jsonl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import org.junit.jupiter.api.Test;

class RepeatedIdsTest {
  private static void assertRepeated(String workload, String id, int first, int second) {
    assertThatThrownBy(() -> jsonl(workload).open())
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "w.jsonl:%d: the id \"%s\" is also that of line %d; expected each id once"
                + " (a task without id has its line number as id)",
            second, id, first);
  }

  private static String noop(String id) {
    return "{\"id\": " + id + ", \"noop\": true}\n";
  }

  private static final String WITHOUT = "{\"noop\": true}\n";

  @Test
  void repeated_id_is_refused_with_both_lines() {
    assertRepeated("\n" + noop("\"a\"") + noop("\"b\"") + "\n" + noop("\"a\""), "a", 2, 5);
  }

  @Test
  void repeated_id_is_refused_across_spilled_tables() {
    StringBuilder workload = new StringBuilder();
    for (int i = 1; i <= 50; i++) {
      workload.append(noop("\"t" + (i == 47 ? 3 : i) + "\"")).append(i % 7 == 0 ? "\n" : "");
    }
    assertRepeated(workload.toString(), "t3", 3, 53);
  }

  @Test
  void number_and_string_that_read_alike_are_the_same_id() {
    assertRepeated(noop("7") + noop("\"7\""), "7", 1, 2);
    assertRepeated(noop("\"é\"") + noop("\"\\u00e9\""), "é", 1, 2);
  }

  @Test
  void ids_that_are_other_lines_numbers_are_fine_if_every_task_has_one() {
    assertThat(jsonl(noop("2") + noop("1") + noop("\"03\"")).tasks())
        .extracting(Task::id)
        .containsExactly("2", "1", "03");
  }

  @Test
  void id_that_is_the_line_number_of_a_task_without_one_is_refused() {
    assertRepeated(noop("2") + WITHOUT, "2", 1, 2);
    assertRepeated(WITHOUT + noop("1"), "1", 1, 2);
    assertRepeated(noop("\"x\"").repeat(1) + "\n" + noop("8") + WITHOUT.repeat(9), "8", 3, 8);
  }

  @Test
  void mixed_ids_that_name_no_line_without_id_are_fine() {
    assertThat(jsonl(noop("1") + "\n" + WITHOUT + noop("2") + noop("99") + noop("\"03\"")).tasks())
        .extracting(Task::id)
        .containsExactly("1", "3", "2", "99", "03");
  }

  @Test
  void byte_order_mark_does_not_hide_the_first_id() {
    assertRepeated("\ufeff" + noop("\"a\"") + noop("\"a\""), "a", 1, 2);
  }

  @Test
  void stream_shows_a_near_repetition_at_once_and_a_far_one_at_the_end() {
    String far = noop("\"a\"") + noop("1") + noop("2") + noop("3") + noop("4") + noop("\"a\"");
    try (Workload workload = jsonl(far).stream();
        TaskReader reader = workload.read()) {
      for (int i = 0; i < 6; i++) {
        assertThat(reader.next()).isNotNull();
      }
      assertThatThrownBy(reader::next)
          .hasMessageStartingWith("w.jsonl:6: the id \"a\" is also that of line 1;");
    }
    try (Workload workload = jsonl(noop("1") + noop("1")).stream();
        TaskReader reader = workload.read()) {
      assertThat(reader.next()).isNotNull();
      assertThatThrownBy(reader::next)
          .hasMessageStartingWith("w.jsonl:2: the id \"1\" is also that of line 1;");
    }
  }
}
