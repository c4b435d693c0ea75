package io.cloudkon.simulator.fleet;

import static io.cloudkon.simulator.world.TestWorld.MILLI;
import static io.cloudkon.simulator.world.TestWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.TestWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimSlotsTest {
  private static final long OVERHEAD = 100;

  private final TestWorld at = new TestWorld(FaultSettings.NONE);
  private final SimProcess process = at.process("w1");
  private final List<WorkerEvent.SlotFree> freed = new ArrayList<>();
  private final List<Long> freedAt = new ArrayList<>();
  private final SimSlots slots = slots(process);
  private long begun;

  private SimSlots slots(SimProcess owner) {
    return new SimSlots(
        at.world(),
        owner,
        2,
        OVERHEAD,
        event -> {
          freed.add((WorkerEvent.SlotFree) event);
          freedAt.add(at.now() - begun);
        });
  }

  private SimBundle hand(Tasks tasks) {
    SimBundle hand = Hands.with(tasks, at);
    begun = at.now();
    return hand;
  }

  private static WorkerEffect.Run run(int slot, int... positions) {
    return new WorkerEffect.Run(slot, 7, Positions.of(positions));
  }

  private int starts(SimBundle hand, int ordinal) {
    return at.world().witness().startsOf(hand.request.run(), ordinal);
  }

  @Test
  void slot_runs_its_tasks_one_after_the_other_and_says_how_long_they_took() {
    SimBundle hand = hand(Mixed.of(10, 20, 10));
    slots.run(run(0, 0, 1, 2), hand, 1);
    assertThat(slots.idle()).isFalse();

    at.pass(SECOND);

    assertThat(freedAt).containsExactly(40 * MILLI + 3 * OVERHEAD);
    WorkerEvent.SlotFree free = freed.getFirst();
    assertThat(free.slot()).isZero();
    assertThat(free.bundle()).isEqualTo(hand.key);
    assertThat(free.finished()).isEqualTo(Positions.range(0, 3));
    assertThat(free.bytes()).isEqualTo(3 * 64);
    assertThat(free.notStarted().isEmpty()).isTrue();
    assertThat(free.killed().isEmpty()).isTrue();
    assertThat(free.failed().isEmpty()).isTrue();
    assertThat(free.samples())
        .extracting(WorkerEvent.Sample::count, WorkerEvent.Sample::micros)
        .as("of one sort")
        .containsExactly(tuple(3, 40 * MILLI));
    assertThat(slots.busyMicros()).isEqualTo(40 * MILLI);
    assertThat(slots.idle()).isTrue();
    assertThat(starts(hand, 1)).isEqualTo(1);
  }

  @Test
  void slots_run_side_by_side() {
    SimBundle hand = hand(Mixed.of(10, 30));
    slots.run(run(0, 0), hand, 1);
    slots.run(run(1, 1), hand, 1);

    at.pass(SECOND);

    assertThat(freedAt).containsExactly(10 * MILLI + OVERHEAD, 30 * MILLI + OVERHEAD);
    assertThat(freed).extracting(WorkerEvent.SlotFree::slot).containsExactly(0, 1);
  }

  @Test
  void slot_that_is_taken_takes_nothing_more() {
    SimBundle hand = hand(Mixed.of(10, 30));
    slots.run(run(0, 0), hand, 1);

    assertThatThrownBy(() -> slots.run(run(0, 1), hand, 1)).isInstanceOf(Violation.class);
  }

  @Test
  void slot_that_came_back_may_be_taken_from_within_what_it_tells() {
    SimBundle hand = hand(Mixed.of(10, 30));
    List<WorkerEvent> seen = new ArrayList<>();
    SimSlots[] again = new SimSlots[1];
    again[0] =
        new SimSlots(
            at.world(),
            process,
            1,
            OVERHEAD,
            event -> {
              seen.add(event);
              if (seen.size() == 1) {
                again[0].run(run(0, 1), hand, 1);
              }
            });
    again[0].run(run(0, 0), hand, 1);

    at.pass(SECOND);

    assertThat(seen).hasSize(2);
    assertThat(again[0].busyMicros()).isEqualTo(40 * MILLI);
  }

  @Test
  void failed_tries_are_told_and_count_as_finished() {
    SimBundle hand = hand(new Mixed(new int[] {1, 1}, 1, 1, -1, 64));
    slots.run(run(0, 0, 1), hand, 1);

    at.pass(SECOND);

    assertThat(freed.getFirst().finished()).isEqualTo(Positions.of(0, 1));
    assertThat(freed.getFirst().failed()).isEqualTo(Positions.of(1));
  }

  @Test
  void kill_ends_what_runs_of_that_bundle_at_once() {
    SimBundle hand = hand(Mixed.of(10, 20, 10, 10));
    slots.run(run(0, 0, 1, 2), hand, 1);
    slots.run(run(1, 3), hand, 1);
    at.pass(15 * MILLI);
    assertThat(freed).hasSize(1);

    slots.kill(hand);
    at.settle();

    WorkerEvent.SlotFree free = freed.getLast();
    assertThat(free.finished()).isEqualTo(Positions.of(0));
    assertThat(free.killed()).isEqualTo(Positions.of(1));
    assertThat(free.notStarted()).isEqualTo(Positions.of(2));
    assertThat(slots.idle()).isTrue();
    at.pass(SECOND);
    assertThat(freed).hasSize(2);
    assertThat(slots.busyMicros()).as("of those that ended").isEqualTo(20 * MILLI);
    assertThat(starts(hand, 2)).isZero();
  }

  @Test
  void kill_before_the_first_start_starts_nothing() {
    SimBundle hand = hand(Mixed.of(10, 20));
    slots.run(run(0, 0, 1), hand, 1);
    at.pass(OVERHEAD - 1);

    slots.killAll();
    at.pass(SECOND);

    assertThat(freed).hasSize(1);
    assertThat(freed.getFirst().notStarted()).isEqualTo(Positions.of(0, 1));
    assertThat(freed.getFirst().killed().isEmpty()).isTrue();
    assertThat(starts(hand, 0)).isZero();
  }

  @Test
  void kill_of_one_bundle_leaves_the_others() {
    SimBundle hand = hand(Mixed.of(10, 20));
    SimBundle other = new SimBundle(8, hand.delivery, "n2", 0, 0);
    slots.run(run(0, 0), hand, 1);
    slots.run(new WorkerEffect.Run(1, 8, Positions.of(1)), other, 1);
    at.pass(MILLI);

    slots.kill(other);
    at.pass(SECOND);

    assertThat(freed).extracting(WorkerEvent.SlotFree::bundle).containsExactly(8L, hand.key);
    assertThat(freed.getLast().finished()).isEqualTo(Positions.of(0));
  }

  @Test
  void stop_lets_what_runs_finish_and_starts_nothing_more() {
    SimBundle hand = hand(Mixed.of(10, 20));
    slots.run(run(0, 0, 1), hand, 1);
    at.pass(MILLI);

    slots.stop();
    at.pass(SECOND);

    assertThat(freed.getFirst().finished()).isEqualTo(Positions.of(0));
    assertThat(freed.getFirst().notStarted()).isEqualTo(Positions.of(1));
    assertThat(freed.getFirst().killed().isEmpty()).isTrue();
    assertThat(starts(hand, 1)).isZero();
  }

  @Test
  void cut_tells_what_finished_and_gives_back_what_did_not_start_while_a_task_goes_on() {
    List<WorkerEvent> told = new ArrayList<>();
    SimSlots its = new SimSlots(at.world(), process, 1, OVERHEAD, told::add);
    SimBundle hand = hand(Mixed.of(10, 400, 10, 10));
    its.run(run(0, 0, 1, 2, 3), hand, 1);
    at.pass(300 * MILLI);
    assertThat(told).isEmpty();

    its.cut(0);
    at.settle();

    WorkerEvent.SlotFree soFar = ((WorkerEvent.ChunkCut) told.getFirst()).soFar();
    assertThat(soFar.finished()).isEqualTo(Positions.of(0));
    assertThat(soFar.bytes()).isEqualTo(64);
    assertThat(soFar.notStarted()).isEqualTo(Positions.of(2, 3));
    assertThat(soFar.samples()).hasSize(1);
    assertThat(its.idle()).isFalse();

    at.pass(SECOND);
    WorkerEvent.SlotFree free = (WorkerEvent.SlotFree) told.getLast();
    assertThat(free.finished()).isEqualTo(Positions.of(1));
    assertThat(free.notStarted().isEmpty()).isTrue();
    assertThat(starts(hand, 2)).isZero();
    its.cut(0);
    at.pass(SECOND);
    assertThat(told).as("a slot that is free has nothing to cut").hasSize(2);
  }

  @Test
  void poison_kills_its_worker_shortly_after_its_start() {
    SimBundle hand = hand(new Mixed(new int[] {1, 1, 1}, -1, 0, 1, 64));
    slots.run(run(0, 0, 1, 2), hand, 1);
    at.pass(MILLI + 2 * OVERHEAD);
    assertThat(process.dead()).isFalse();

    at.pass(SECOND);

    assertThat(process.dead()).isTrue();
    assertThat(freed).isEmpty();
    assertThat(starts(hand, 1)).isEqualTo(1);
    assertThat(starts(hand, 2)).isZero();
  }

  @Test
  void start_is_an_effect_where_a_worker_may_die() {
    SimBundle hand = hand(Mixed.of(1, 1, 1));
    SimProcess dying = at.world().process("w2", CrashPoint.dies(2, false), SimProcess.Clocks.RIGHT);
    slots(dying).run(run(0, 0, 1, 2), hand, 1);

    at.pass(SECOND);

    assertThat(dying.dead()).isTrue();
    assertThat(starts(hand, 0)).isEqualTo(1);
    assertThat(starts(hand, 1)).isZero();
  }

  @Test
  void task_killed_while_its_worker_is_stopped_before_the_start_does_not_start() {
    SimBundle hand = hand(Mixed.of(10, 10));
    SimProcess stopped =
        at.world().process("w2", new CrashPoint(1, false, 50), SimProcess.Clocks.RIGHT);
    SimSlots its = slots(stopped);
    stopped.onResume(its::killAll);
    its.run(run(0, 0, 1), hand, 1);

    at.pass(SECOND);

    assertThat(freed).hasSize(1);
    assertThat(freed.getFirst().killed()).isEqualTo(Positions.of(0));
    assertThat(freed.getFirst().notStarted()).isEqualTo(Positions.of(1));
    assertThat(starts(hand, 0)).isZero();
  }
}
