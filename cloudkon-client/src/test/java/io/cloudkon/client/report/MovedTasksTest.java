package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MovedTasksTest {
  private final MovedTasks moved = new MovedTasks();

  private static ResultBatch batch(String bundle, int attempt) {
    ResultBatch of = Samples.batch("w", 0, attempt, List.of());
    return new ResultBatch(
        of.run(),
        of.epoch(),
        bundle,
        of.worker(),
        of.attempt(),
        of.nonce(),
        of.stamps(),
        of.results(),
        of.calls(),
        of.bundleError());
  }

  private static ResultRecord result(int index, int attempt) {
    return new ResultRecord(
        index,
        "id" + index,
        TaskStatus.SUCCEEDED,
        "",
        "",
        List.of(),
        "w",
        attempt,
        1,
        FileCounts.NONE,
        false,
        Map.of());
  }

  private static JournalEntry.BundleRange range(int sequence, int first, int tasks) {
    return new JournalEntry.BundleRange(sequence, first, tasks, 0, 1, 0, 0);
  }

  @Test
  void bundle_counts_once_however_many_messages_and_children_bring_its_results() {
    moved.accept(batch("r/e/7", 2), 3);
    moved.accept(batch("r/e/7", 3), 2);
    moved.accept(batch("r/e/7/1", 2), 1);
    moved.accept(batch("r/e/8", 1), 5);
    moved.accept(batch("r/e/9", 2), 0);

    assertThat(moved.tasks()).isEqualTo(6);
    assertThat(moved.bundles()).isEqualTo(1);
  }

  @Test
  void restored_tasks_are_found_in_their_bundles() {
    moved.restore(result(1, 1));
    moved.restore(result(4, 2));
    moved.restore(result(5, 3));
    moved.restore(range(0, 0, 4));
    moved.restore(range(1, 4, 2));
    moved.restore(range(2, 6, 2));

    assertThat(moved.tasks()).isEqualTo(2);
    assertThat(moved.bundles()).isEqualTo(1);
  }

  /** It counted twice: results do not name their bundle, so it had another name before. */
  @Test
  void bundle_whose_results_came_before_and_after_a_resume_counts_once() {
    moved.restore(result(4, 2));
    moved.restore(range(1, 4, 2));
    moved.accept(batch("r/e/1", 2), 1);

    assertThat(moved.tasks()).isEqualTo(2);
    assertThat(moved.bundles()).isEqualTo(1);
  }

  @Test
  void id_that_names_no_bundle_counts_as_none() {
    moved.accept(batch("r/e/x", 2), 1);

    assertThat(moved.tasks()).isEqualTo(1);
    assertThat(moved.bundles()).isZero();
  }
}
