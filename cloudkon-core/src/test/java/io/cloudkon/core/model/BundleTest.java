package io.cloudkon.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BundleTest {
  private static final BundleHeader HEADER =
      new BundleHeader("r", "e", "r/e/1", "q", Consistency.EXACTLY_ONCE, 0, 1, 2, 3);

  private static List<Task> tasks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Task(i + 10, "" + i, Work.Noop.INSTANCE, 0))
        .toList();
  }

  @Test
  void child_has_the_tasks_at_its_positions_and_an_id_of_its_own() {
    Bundle child = new Bundle(HEADER, tasks(10)).child(2, Positions.of(1, 5, 9));

    assertThat(child.header()).isEqualTo(HEADER.withBundle("r/e/1/2"));
    assertThat(child.tasks()).extracting(Task::ordinal).containsExactly(11, 15, 19);
  }

  @Test
  void bundle_has_1_to_4096_tasks() {
    Task task = tasks(1).getFirst();

    assertThat(new Bundle(HEADER, Collections.nCopies(4096, task)).tasks()).hasSize(4096);
    assertThatThrownBy(() -> new Bundle(HEADER, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Bundle(HEADER, Collections.nCopies(4097, task)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("r/e/1");
  }

  @Test
  void work_is_of_the_kind_that_it_is() {
    assertThat(Work.Noop.INSTANCE.kind()).isEqualTo(Work.Kind.NOOP);
    assertThat(new Work.Sleep(1).kind()).isEqualTo(Work.Kind.SLEEP);
    assertThat(Work.Exec.shell("x").kind()).isEqualTo(Work.Kind.EXEC);
    assertThat(new Work.JavaCall("x", List.of()).kind()).isEqualTo(Work.Kind.JAVA);
    assertThat(Work.Exec.shell("a | b").argv()).containsExactly("/bin/sh", "-c", "a | b");
  }

  @Test
  void consistency_has_its_label_and_says_whether_it_claims() {
    assertThat(Consistency.values())
        .extracting(Consistency::label)
        .containsExactly("exactly-once", "at-most-once", "at-least-once");
    assertThat(Consistency.EXACTLY_ONCE.claims()).isTrue();
    assertThat(Consistency.AT_MOST_ONCE.claims()).isTrue();
    assertThat(Consistency.AT_LEAST_ONCE.claims()).isFalse();
  }
}
