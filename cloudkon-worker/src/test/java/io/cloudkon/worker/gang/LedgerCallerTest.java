package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.ScriptedPlan;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.pipeline.Later;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerCallerTest {
  private final ScriptedPlan plan = new ScriptedPlan();
  private final ManualTime time = new ManualTime();
  private final Cluster cluster =
      new UnreliableCluster(new MemoryCloud(time).setup("Q"), plan).cluster();
  private final CapacityLedger ledger = cluster.hpc().ledger();
  private final GangInbox inbox = new GangInbox();
  private final Told told = new Told(inbox);
  private final Later later = new Later();
  private final LedgerCaller caller = caller(Runnable::run);

  private LedgerCaller caller(Executor io) {
    return new LedgerCaller(
        ledger,
        new FleetReads(cluster.decisions(), time),
        "w",
        time,
        inbox,
        later,
        new BackOff(1, 1, new Random(1)),
        io);
  }

  @AfterEach
  void close() {
    later.close();
  }

  private void change(LedgerChange change) {
    assertThat(ledger.change(change)).isTrue();
  }

  @Test
  void look_for_room_tells_the_sums_and_the_reservation_and_reads_no_more() throws Exception {
    Reservation reservation = Reservation.of("run/e/0", 3, "v", 100);
    change(new LedgerChange.Join("join", Share.ofWorker("w", 4, 100)));
    caller.call(new CapacityEffect.LookForRoom());
    change(new LedgerChange.Reserve("reserve", reservation));
    caller.call(new CapacityEffect.LookForRoom());

    assertThat(told.manager()).isEqualTo(new GangEvent.Looked(new LedgerCounter(4, 0), null));
    assertThat(told.manager())
        .isEqualTo(new GangEvent.Looked(new LedgerCounter(4, 3), reservation));
    assertThat(plan.calls(Operation.LEDGER_VIEW)).isZero();
  }

  @Test
  void job_that_waits_no_more_does_not_wait_in_the_ledger_whatever_thread_is_the_first() {
    List<Runnable> threads = new ArrayList<>();
    LedgerCaller ofThreads = caller(threads::add);
    ofThreads.call(
        new CapacityEffect.PutWaiting(new Waiting("run/e/0", 2, 1, "w", Long.MAX_VALUE)));
    ofThreads.call(new CapacityEffect.RemoveWaiting("run/e/0", "w"));

    while (!threads.isEmpty()) {
      threads.removeLast().run();
    }

    assertThat(ledger.view().waiting()).isEmpty();
  }

  @Test
  void only_the_latest_call_about_a_job_is_made_after_an_outage() {
    List<Runnable> threads = new ArrayList<>();
    LedgerCaller ofThreads = caller(threads::add);
    Waiting other = new Waiting("run/e/1", 2, 1, "w", Long.MAX_VALUE);
    Waiting gone = new Waiting("run/e/2", 2, 1, "w", Long.MAX_VALUE);
    for (long leaseEnd = 1; leaseEnd <= 100; leaseEnd++) {
      ofThreads.call(new CapacityEffect.PutWaiting(new Waiting("run/e/0", 2, 1, "w", leaseEnd)));
    }
    ofThreads.call(new CapacityEffect.PutWaiting(other));
    ofThreads.call(new CapacityEffect.PutWaiting(gone));
    ofThreads.call(new CapacityEffect.RemoveWaiting("run/e/2", "w"));

    while (!threads.isEmpty()) {
      threads.removeFirst().run();
    }

    assertThat(plan.calls(Operation.LEDGER_PUT)).isEqualTo(2);
    assertThat(ledger.view().waiting())
        .containsExactlyInAnyOrder(new Waiting("run/e/0", 2, 1, "w", 100), other);
  }

  @Test
  void call_about_a_waiting_job_that_fails_holds_up_none_after_it() {
    plan.at(Operation.LEDGER_PUT, 1, Fate.THROTTLED);
    Waiting waiting = new Waiting("run/e/0", 2, 1, "w", Long.MAX_VALUE);

    caller.call(new CapacityEffect.PutWaiting(waiting));
    caller.call(new CapacityEffect.PutWaiting(waiting));

    assertThat(ledger.view().waiting()).containsExactly(waiting);
  }

  @Test
  void look_reads_the_reservation_and_not_the_sums() throws Exception {
    caller.call(new CapacityEffect.Look());

    assertThat(told.manager()).isEqualTo(new GangEvent.Looked(null));
    assertThat(plan.calls(Operation.LEDGER_COUNTER)).isZero();
  }

  @Test
  void view_in_which_no_job_is_too_large_for_the_live_workers_reads_nothing_more()
      throws Exception {
    change(new LedgerChange.Join("join", Share.ofWorker("w", 2, Long.MAX_VALUE)));
    ledger.put(new Waiting("run/e/0", 2, 1, "w", Long.MAX_VALUE));

    caller.call(new CapacityEffect.View());

    assertThat(fleetTold()).isNull();
    assertThat(plan.calls(Operation.DECISION_PROVISIONER)).isZero();
  }

  @Test
  void view_with_a_job_that_is_too_large_tells_what_the_provisioner_may_launch() throws Exception {
    ledger.put(new Waiting("run/e/0", 3, 1, "w", Long.MAX_VALUE));
    caller.call(new CapacityEffect.View());
    assertThat(fleetTold()).isEqualTo(RankLimit.Fleet.NONE);

    assertThat(cluster.decisions().take(Provisioners.of(3, 2, 500), Optional.empty())).isTrue();
    caller.call(new CapacityEffect.View());

    assertThat(fleetTold()).isEqualTo(new RankLimit.Fleet(3, 2, 500));
  }

  @Test
  void view_is_told_although_the_provisioner_cannot_be_read() throws Exception {
    plan.at(Operation.DECISION_PROVISIONER, 1, Fate.THROTTLED);
    ledger.put(new Waiting("run/e/0", 3, 1, "w", Long.MAX_VALUE));

    caller.call(new CapacityEffect.View());

    assertThat(fleetTold()).isNull();
  }

  private RankLimit.@Nullable Fleet fleetTold() throws InterruptedException {
    return told.manager() instanceof GangEvent.Viewed viewed
        ? viewed.fleet()
        : fail("expected a view");
  }

  @Test
  void look_for_room_that_fails_halfway_is_told_as_failed_once() throws Exception {
    plan.at(Operation.LEDGER_COUNTER, 1, Fate.THROTTLED);
    plan.at(Operation.LEDGER_RESERVATION, 2, Fate.THROTTLED);

    for (int i = 0; i < 2; i++) {
      caller.call(new CapacityEffect.LookForRoom());

      assertThat(told.manager()).isEqualTo(new GangEvent.ReadFailed());
      told.nothingElse();
    }
  }
}
