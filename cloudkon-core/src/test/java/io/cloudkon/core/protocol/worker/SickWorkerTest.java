package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker that cannot start tasks takes none, and gives back what it has. */
class SickWorkerTest {
  private final WorkerBench bench = WorkerBench.hungry(2);

  private WorkerEvent arrival(long key) {
    return new WorkerEvent.Received(
        List.of(
            new WorkerEvent.Arrival(
                key,
                WorkerBench.bundle((int) key, Consistency.AT_LEAST_ONCE, 4, Work.Noop.INSTANCE),
                "n" + key)),
        bench.now,
        1_000);
  }

  private List<BundleEffect> asked(long key) {
    List<BundleEffect> asked =
        bench.effects.stream()
            .filter(WorkerEffect.OfBundle.class::isInstance)
            .map(WorkerEffect.OfBundle.class::cast)
            .filter(of -> of.bundle() == key)
            .map(WorkerEffect.OfBundle::effect)
            .toList();
    bench.effects.clear();
    return asked;
  }

  @Test
  void sick_worker_gives_back_what_arrives_and_receives_no_more_until_it_recovers() {
    bench.effects.clear();
    bench.on(new WorkerEvent.FellSick());

    bench.on(arrival(1));

    assertThat(asked(1))
        .containsExactly(
            new BundleEffect.PutBack(0), new BundleEffect.Close(BundleEffect.Reason.GIVEN_BACK));
    bench.pass(5_000);
    assertThat(bench.effects).isEmpty();
    assertThat(bench.machine.decidesInMicros()).isInfinite();

    bench.on(new WorkerEvent.Recovered());
    assertThat(bench.effects).hasAtLeastOneElementOfType(WorkerEffect.Receive.class);
  }

  @Test
  void sick_worker_keeps_no_slots_for_ranks_until_it_recovers() {
    bench.on(new WorkerEvent.FellSick());
    bench.effects.clear();

    bench.on(new WorkerEvent.KeepSlots(1, 4));

    assertThat(bench.effects).contains(new WorkerEffect.SlotsKept(1, 0, 0));
    bench.pass(1_000);
    assertThat(kept()).containsExactly(0);
    bench.on(new WorkerEvent.Recovered());
    assertThat(kept()).containsExactly(0, 2);
  }

  private List<Integer> kept() {
    return bench.effects.stream()
        .filter(WorkerEffect.SlotsKept.class::isInstance)
        .map(effect -> ((WorkerEffect.SlotsKept) effect).slots())
        .toList();
  }

  @Test
  void sick_worker_starts_nothing_more_of_what_runs_and_gives_back_the_rest() {
    bench.on(arrival(1));
    List<WorkerEffect.Run> runs =
        bench.effects.stream()
            .filter(WorkerEffect.Run.class::isInstance)
            .map(WorkerEffect.Run.class::cast)
            .toList();
    bench.effects.clear();

    bench.on(new WorkerEvent.FellSick());
    bench.effects.clear();
    for (WorkerEffect.Run run : runs) {
      bench.on(
          new WorkerEvent.SlotFree(
              run.slot(), 1, Positions.none(), 0, run.tasks(), Positions.none(), List.of()));
    }

    assertThat(bench.effects).noneMatch(WorkerEffect.Run.class::isInstance);
    assertThat(asked(1))
        .containsExactly(
            new BundleEffect.PutBack(0), new BundleEffect.Close(BundleEffect.Reason.GIVEN_BACK));
    assertThat(bench.machine.drained()).isFalse();
  }
}
