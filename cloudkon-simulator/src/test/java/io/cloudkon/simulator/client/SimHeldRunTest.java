package io.cloudkon.simulator.client;

import static io.cloudkon.simulator.world.TestWorld.MILLI;
import static io.cloudkon.simulator.world.TestWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.world.TestWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimHeldRunTest {
  private static final LeaseSettings LEASE = new LeaseSettings(15_000, 5_000, 2_000);
  private static final SimRun RUN =
      new SimRun(0, "r0", Consistency.EXACTLY_ONCE, new SleepTasks(10, 1));

  private final List<String> told = new ArrayList<>();

  private static TestWorld calm() {
    return new TestWorld(FaultSettings.NONE);
  }

  /** Between these moments, in seconds, nobody reaches the table of runs. */
  private static TestWorld outage(long from, long to) {
    return new TestWorld(
        new FaultSettings(
            Map.of(),
            0,
            0,
            0,
            0,
            List.of(
                new FaultSettings.Outage(
                    from * SECOND, to * SECOND, Set.of(Call.RUN_READ, Call.RUN_WRITE))),
            to * SECOND));
  }

  private SimHeldRun held(TestWorld at, SimProcess process) {
    return new SimHeldRun(
        at.world(),
        process,
        RUN,
        LEASE,
        new SimRemainingWork(at.world(), RUN, new SimJournal()),
        "Q-response-" + process.name(),
        why -> told.add(process.name() + " " + why));
  }

  private SimHeldRun published(TestWorld at, SimProcess process) {
    SimHeldRun held = held(at, process);
    held.publish(
        () -> told.add(process.name() + " published"), () -> told.add(process.name() + " known"));
    at.pass(5 * MILLI);
    return held;
  }

  private static RunEntry entry(TestWorld at) {
    return at.world().cloud().runs().current(RUN.id());
  }

  @Test
  void run_is_held_once_it_is_published() {
    TestWorld at = calm();
    SimHeldRun held = held(at, at.process("c1"));
    held.publish(() -> told.add("published"), () -> told.add("known"));
    assertThat(held.valid()).isFalse();
    at.pass(3 * MILLI);

    assertThat(told).containsExactly("published");
    assertThat(held.valid()).isTrue();
    assertThat(entry(at).holder()).isEqualTo("c1");
    assertThat(entry(at).state()).isEqualTo(RunEntry.State.OPEN);
    assertThat(entry(at).responseQueue()).isEqualTo("Q-response-c1");
    assertThat(entry(at).leaseEnd()).isEqualTo(15_000);
  }

  @Test
  void run_that_somebody_has_begun_is_known() {
    TestWorld at = calm();
    SimHeldRun unused = published(at, at.process("c1"));

    SimHeldRun second = published(at, at.process("c2"));

    assertThat(told).containsExactly("c1 published", "c2 known");
    assertThat(second.valid()).isFalse();
    assertThat(entry(at).holder()).isEqualTo("c1");
  }

  @Test
  void lease_is_renewed_as_long_as_the_client_lives() {
    TestWorld at = calm();
    SimHeldRun held = published(at, at.process("c1"));
    for (int second = 0; second < 100; second++) {
      at.pass(SECOND);
      assertThat(held.valid()).as("after %d s", second).isTrue();
    }
    assertThat(entry(at).leaseEnd()).isBetween(110_000L, 115_100L);
  }

  @Test
  void lease_that_cannot_be_renewed_is_over_a_margin_before_its_end() {
    TestWorld at = outage(1, 60);
    SimHeldRun held = published(at, at.process("c1"));

    at.pass(13 * SECOND - 1 - at.now());
    assertThat(held.valid()).isTrue();
    at.pass(1);
    assertThat(held.valid()).isFalse();

    at.pass(61 * SECOND - at.now());
    assertThat(held.valid()).as("renewed, as nobody had it meanwhile").isTrue();
    assertThat(told).containsExactly("c1 published");
  }

  @Test
  void client_whose_machine_slept_past_its_lease_does_not_hold_it_until_it_is_renewed() {
    TestWorld at = calm();
    SimProcess process = at.process("c1");
    SimHeldRun held = published(at, process);
    List<Boolean> awake = new ArrayList<>();
    process.onResume(() -> awake.add(held.valid()));

    process.pause(20_000, true);
    at.pass(21 * SECOND);

    assertThat(awake).containsExactly(false);
    assertThat(held.valid()).isTrue();
  }

  /** A client begins while answers are lost: its lease counts from the try that took effect. */
  @Test
  void run_that_a_try_with_a_lost_answer_published_is_held_from_that_try_on() {
    TestWorld at =
        new TestWorld(
            new FaultSettings(
                Map.of(Call.RUN_WRITE, new FaultSettings.Odds(0, 1, 0, 0)),
                0,
                0,
                0,
                0,
                List.of(),
                40 * SECOND));
    SimHeldRun held = published(at, at.process("c1"));
    assertThat(entry(at).leaseEnd()).isEqualTo(15_000);

    at.pass(41 * SECOND - at.now());
    assertThat(told).containsExactly("c1 published");
    assertThat(held.valid()).as("with a lease that ended 26 s ago").isFalse();

    at.pass(5 * SECOND);
    assertThat(held.valid()).isTrue();
    assertThat(entry(at).leaseEnd()).isGreaterThan(59_000);
  }

  @Test
  void run_taken_over_by_another_is_lost_with_the_next_renewal() {
    TestWorld at = calm();
    SimHeldRun first = published(at, at.process("c1"));
    SimHeldRun second = held(at, at.process("c2"));

    second.take(entry(at), () -> told.add("c2 taken"), () -> told.add("c2 too late"));
    at.pass(3 * MILLI);
    assertThat(told).containsExactly("c1 published", "c2 taken");
    assertThat(second.valid()).isTrue();
    assertThat(second.queue()).as("what was sent goes there").isEqualTo("Q-response-c1");
    at.pass(6 * SECOND);

    assertThat(told).containsExactly("c1 published", "c2 taken", "c1 TAKEN_OVER");
    assertThat(first.valid()).isFalse();
    at.pass(60 * SECOND);
    assertThat(entry(at).holder()).isEqualTo("c2");
    assertThat(second.valid()).isTrue();
    assertThat(told).hasSize(3);
  }

  @Test
  void run_that_was_renewed_since_it_was_seen_is_not_taken() {
    TestWorld at = calm();
    SimHeldRun first = published(at, at.process("c1"));
    RunEntry seen = entry(at);
    at.pass(6 * SECOND);

    SimHeldRun second = held(at, at.process("c2"));
    second.take(seen, () -> told.add("c2 taken"), () -> told.add("c2 too late"));
    at.pass(6 * SECOND);

    assertThat(told).containsExactly("c1 published", "c2 too late");
    assertThat(first.valid()).isTrue();
    assertThat(second.valid()).isFalse();
  }

  @Test
  void client_of_a_cancelled_run_is_told_once_and_holds_it_to_settle_it() {
    TestWorld at = calm();
    SimHeldRun held = published(at, at.process("c1"));
    at.pass(SECOND);

    assertThat(at.world().cloud().runs().cancel(RUN.id(), at.world().serviceMillis())).isTrue();
    at.pass(30 * SECOND);

    assertThat(told).containsExactly("c1 published", "c1 CANCELLED");
    assertThat(held.cancelled()).isTrue();
    assertThat(held.valid()).isTrue();
    held.end(() -> told.add("let go"));
    at.pass(SECOND);
    assertThat(told).containsExactly("c1 published", "c1 CANCELLED", "let go");
    assertThat(entry(at).state()).isEqualTo(RunEntry.State.CANCELLED);
    assertThat(held.valid()).isFalse();
  }

  @Test
  void run_that_ends_is_told_so_and_renewed_no_more() {
    TestWorld at = calm();
    SimHeldRun held = published(at, at.process("c1"));

    held.end(() -> told.add("let go"));
    at.pass(3 * MILLI);

    assertThat(told).containsExactly("c1 published", "let go");
    RunEntry ended = entry(at);
    assertThat(ended.state()).isEqualTo(RunEntry.State.ENDED);
    at.pass(60 * SECOND);
    assertThat(entry(at)).isEqualTo(ended);
    assertThat(at.world().cloud().calls().of(Call.RUN_WRITE)).isEqualTo(2);
  }

  @Test
  void results_go_to_another_queue_once_that_is_published() {
    TestWorld at = outage(1, 10);
    SimHeldRun held = published(at, at.process("c1"));
    at.pass(2 * SECOND);

    held.moving("elsewhere");
    held.moveTo("elsewhere", () -> told.add("published elsewhere"));
    at.pass(2 * SECOND);
    assertThat(told).containsExactly("c1 published");
    at.pass(10 * SECOND);

    assertThat(told).containsExactly("c1 published", "published elsewhere");
    assertThat(held.queue()).as("until the other one is there").isEqualTo("Q-response-c1");
    held.moved("elsewhere");
    assertThat(held.queue()).isEqualTo("elsewhere");
    assertThat(entry(at).responseQueue()).isEqualTo("elsewhere");
    assertThat(held.names()).containsExactly("Q-response-c1", "elsewhere");
    at.pass(20 * SECOND);
    assertThat(entry(at).responseQueue()).as("after renewals").isEqualTo("elsewhere");
  }

  @Test
  void dead_clients_run_is_renewed_no_more() {
    TestWorld at = calm();
    SimProcess process = at.process("c1");
    SimHeldRun unused = published(at, process);
    at.pass(6 * SECOND);
    RunEntry last = entry(at);

    process.die();
    at.pass(60 * SECOND);

    assertThat(entry(at)).isEqualTo(last);
  }
}
