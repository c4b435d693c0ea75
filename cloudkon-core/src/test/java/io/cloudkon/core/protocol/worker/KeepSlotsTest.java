package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
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
    assertThat(keep(1, 3)).contains(new WorkerEffect.SlotsKept(1, 3, 0));
    assertThat(machine.freeSlots()).isEqualTo(1);
    assertThat(keep(2, 9)).contains(new WorkerEffect.SlotsKept(2, 4, 0));
    assertThat(machine.freeSlots()).isZero();
    assertThat(machine.busySlots()).isZero();
  }

  @Test
  void slots_that_are_given_up_are_free_again() {
    var unused = keep(1, 4);
    assertThat(keep(2, 1)).contains(new WorkerEffect.SlotsKept(2, 1, 0));

    assertThat(machine.freeSlots()).isEqualTo(3);
  }

  @Test
  void slots_whose_tasks_end_soon_are_counted_and_kept_as_they_fall_free() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(
        WorkerBench.bundle(0, Consistency.AT_LEAST_ONCE, 2, WorkerBench.sleep(1_000)),
        WorkerBench.bundle(1, Consistency.AT_LEAST_ONCE, 2, WorkerBench.sleep(1_000)));
    List<WorkerEffect.Run> running = bench.runs();
    assertThat(running).hasSize(2);
    assertThat(bench.machine.slotsSoon(bench.now)).as("a second from now").isZero();

    bench.later(800);
    assertThat(bench.machine.slotsSoon(bench.now)).isEqualTo(2);
    bench.on(new WorkerEvent.KeepSlots(1, 1));
    assertThat(bench.effects).contains(new WorkerEffect.SlotsKept(1, 0, 2));

    bench.later(210).slotFree(running.getFirst());
    assertThat(bench.effects).contains(new WorkerEffect.SlotsKept(1, 1, 1));
    assertThat(bench.runs()).as("the slot is kept").isEmpty();
    bench.slotFree(running.getLast());
    assertThat(bench.runs()).as("one was wanted").hasSize(1);
  }

  @Test
  void slot_whose_task_does_not_end_as_estimated_is_not_expected_for_ever() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(
        WorkerBench.bundle(0, Consistency.AT_LEAST_ONCE, 1, WorkerBench.sleep(20)),
        WorkerBench.bundle(1, Consistency.AT_LEAST_ONCE, 1, WorkerBench.unknown()));
    assertThat(bench.machine.slotsSoon(bench.now)).isEqualTo(1);
    assertThat(bench.later(250).machine.slotsSoon(bench.now)).isEqualTo(1);
    assertThat(bench.later(50).machine.slotsSoon(bench.now)).isZero();

    bench.slotFree(bench.runs().getFirst());
    assertThat(bench.runs()).hasSize(1);
    assertThat(bench.machine.slotsSoon(bench.now)).as("nobody knows how long it takes").isZero();
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
