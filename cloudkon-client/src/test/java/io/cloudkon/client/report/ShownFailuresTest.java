package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShownFailuresTest {
  private final ShownFailures shown = new ShownFailures();

  private void addSilent(String task, String error) {
    if (!shown.counts(Integer.parseInt(task), task, TaskStatus.FAILED, error)) {
      add(task, TaskStatus.FAILED, error);
    }
  }

  /** Three equal lines stood for twenty tasks. */
  @Test
  void those_that_are_alike_and_silent_are_shown_once_with_their_number() {
    for (int i = 1; i <= 20; i++) {
      addSilent("" + i, "command not found: ./fit.sh");
    }
    addSilent("21", "exit code 1");

    assertThat(tasks()).containsExactly("1", "21");
    assertThat(shown.list()).extracting(TaskFailure::alike).containsExactly(20L, 1L);
  }

  private void add(String task, TaskStatus status, String error) {
    int index = Integer.parseInt(task);
    if (shown.wants(index, status, error)) {
      shown.add(index, new TaskFailure(task, status, error, List.of()));
    }
  }

  private List<String> tasks() {
    return shown.list().stream().map(TaskFailure::task).toList();
  }

  @Test
  void first_ones_are_shown_where_all_are_alike() {
    for (int i = 1; i <= 10; i++) {
      add("" + i, TaskStatus.FAILED, "exit code 1");
    }

    assertThat(tasks()).containsExactly("1", "2", "3");
  }

  /** Of a hundred equal failures, the report named that of task 54, which had ended first. */
  @Test
  void first_ones_of_the_workload_are_shown_in_any_order_of_arrival() {
    for (int i = 10; i >= 1; i--) {
      addSilent("" + i, "exit code 1");
      add("" + (20 + i), TaskStatus.FAILED, "exit code 2");
    }

    assertThat(tasks()).containsExactly("1", "21", "22");
    assertThat(shown.list().getFirst().alike()).isEqualTo(10);
  }

  @Test
  void those_that_differ_take_the_place_of_those_that_are_alike() {
    add("1", TaskStatus.FAILED, "exit code 1");
    add("2", TaskStatus.FAILED, "exit code 1");
    add("3", TaskStatus.FAILED, "exit code 1");
    add("4", TaskStatus.TIMED_OUT, "exceeded its time limit of 3 s");
    add("5", TaskStatus.FAILED, "exit code 1");
    add("6", TaskStatus.FAILED, "exit code 44");
    add("7", TaskStatus.LOST, "its worker died");

    assertThat(tasks()).containsExactly("1", "4", "6");
  }

  @Test
  void what_succeeded_or_was_cancelled_did_not_fail() {
    add("1", TaskStatus.SUCCEEDED, "");
    add("2", TaskStatus.CANCELLED, "");

    assertThat(tasks()).isEmpty();
  }
}
