package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreeSlotsTest {
  private final FreeSlots slots = new FreeSlots();

  @Test
  void results_gather_only_while_no_slot_is_free() {
    assertThat(slots.set(2)).isZero();
    assertThat(slots.gatherMillis()).isZero();
    assertThat(slots.set(0)).isEqualTo(2);
    assertThat(slots.gatherMillis()).isEqualTo(50);
    assertThat(slots.set(1)).isZero();
    assertThat(slots.gatherMillis()).isZero();
    assertThat(slots.now()).isEqualTo(1);
  }
}
