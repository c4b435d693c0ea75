package io.cloudkon.worker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingOrderTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void parts_are_closed_in_order() throws Exception {
    ClosingOrder.closeAll(() -> closed.add("a"), () -> closed.add("b"));

    assertThat(closed).containsExactly("a", "b");
  }

  @Test
  void part_that_fails_keeps_no_other_open() {
    assertThatThrownBy(() ->
            ClosingOrder.closeAll(
                () -> {
                  throw new IllegalStateException("first");
                },
                () -> {
                  throw new NoClassDefFoundError("second");
                },
                () -> closed.add("last")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(closed).containsExactly("last");
  }

  @Test
  void same_failure_of_two_parts_keeps_no_other_open() {
    OutOfMemoryError reused = new OutOfMemoryError("of the JVM's own making");
    ClosingOrder.Step failing =
        () -> {
          throw reused;
        };

    assertThatThrownBy(() -> ClosingOrder.closeAll(failing, failing, () -> closed.add("last")))
        .isSameAs(reused);
    assertThat(closed).containsExactly("last");
  }

  @Test
  void interrupt_cuts_one_wait_short_and_keeps_no_other_part_open() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() ->
            ClosingOrder.closeAll(
                () -> Thread.currentThread().join(1),
                () -> {
                  Thread.currentThread().join(1);
                  closed.add("last");
                }))
        .isInstanceOf(InterruptedException.class);
    assertThat(closed).containsExactly("last");
  }
}
