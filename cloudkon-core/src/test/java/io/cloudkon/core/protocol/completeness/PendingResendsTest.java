package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingResendsTest {
  private static final int[] TASKS = {3, 4};

  private final PendingResends pending = new PendingResends();

  @Test
  void what_was_not_accepted_is_due_once_after_five_seconds() {
    pending.put("a", TASKS, 100);
    assertThat(pending.takeDue(104)).isNull();

    assertThat(pending.takeDue(105))
        .satisfies(due -> {
          assertThat(due.id()).isEqualTo("a");
          assertThat(due.ordinals()).isEqualTo(TASKS);
        });
    assertThat(pending.takeDue(105)).isNull();
    assertThat(pending.has("a")).isFalse();
  }

  @Test
  void what_is_put_again_goes_to_the_end_and_starts_its_delay_again() {
    pending.put("a", TASKS, 100);
    pending.put("b", TASKS, 101);
    pending.put("a", TASKS, 102);

    assertThat(pending.takeDue(106)).extracting(PendingResends.Due::id).isEqualTo("b");
    assertThat(pending.takeDue(106)).isNull();
    assertThat(pending.takeDue(107)).extracting(PendingResends.Due::id).isEqualTo("a");
  }

  @Test
  void what_was_accepted_is_never_due() {
    pending.put("a", TASKS, 100);

    assertThat(pending.remove("a")).isTrue();
    assertThat(pending.remove("a")).isFalse();
    assertThat(pending.takeDue(200)).isNull();
  }
}
