package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeepSlotsTest {
  private static final Moment NOW = new Moment(10_000, 3_000_000);

  private final WorkerMachine machine =
      new WorkerMachine(
          new WorkerSettings(
              "w", 4, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));

  private List<WorkerEffect> keep(long question, int slots) {
    return machine.on(new WorkerEvent.KeepSlots(question, slots), NOW);
  }

  @Test
  void free_slots_are_kept_at_once_and_never_more_than_there_are() {
    assertThat(keep(1, 3)).contains(new WorkerEffect.SlotsKept(1, 3));
    assertThat(machine.freeSlots()).isEqualTo(1);
    assertThat(keep(2, 9)).contains(new WorkerEffect.SlotsKept(2, 4));
    assertThat(machine.freeSlots()).isZero();
    assertThat(machine.busySlots()).isZero();
  }

  @Test
  void slots_that_are_given_up_are_free_again() {
    var unused = keep(1, 4);
    assertThat(keep(2, 1)).contains(new WorkerEffect.SlotsKept(2, 1));

    assertThat(machine.freeSlots()).isEqualTo(3);
  }

  @Test
  void worker_whose_slots_are_all_kept_drains() {
    var unused = machine.on(new WorkerEvent.Tick(), NOW);
    var kept = keep(1, 4);
    var draining = machine.on(new WorkerEvent.Drain(), NOW);
    var failed = machine.on(new WorkerEvent.ReceiveFailed(), NOW);

    assertThat(machine.drained()).isTrue();
  }
}
