package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.GangEvent.How;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Endpoint;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import io.cloudkon.hpc.rmi.Identity;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.RmiSettings;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Stubs;
import io.cloudkon.hpc.rmi.Welcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test itself is the loop. */
@Timeout(60)
class GangDoorTest {
  private static final String GANG = "gang-1";
  private static final Address ADDRESS = new Address("127.0.0.1", 4711);
  private static final Registration REGISTRATION =
      new Registration("w1", ADDRESS, new int[] {1, 3}, new String[] {"t1", "t3"}, "own");
  private static final StartRanks START =
      new StartRanks(
          "job",
          2,
          1,
          new int[] {0},
          new byte[0],
          new Address[] {ADDRESS},
          new String[] {"p"},
          new String[0]);

  private final RankBed bed = new RankBed();
  private final Map<String, ManagedGang> managed = new ConcurrentHashMap<>();
  private final String secret = Secrets.fresh();
  private final PingedWorker calledBack = new PingedWorker();

  private GangDoor door(long patienceMillis) {
    managed.put(GANG, new ManagedGang(GANG, secret));
    CallBacks callBacks =
        new CallBacks("me", (address, own) -> calledBack, bed.time::monotonicNanos);
    return new GangDoor(bed.inbox, managed, bed.runs, bed.launches(), callBacks, patienceMillis);
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  @Test
  void registration_is_answered_by_the_loop_and_its_address_kept() throws Exception {
    GangDoor door = door(60_000);
    CompletableFuture<Welcome> asked =
        CompletableFuture.supplyAsync(() -> door.register(GANG, REGISTRATION));

    GangEvent.Register event = (GangEvent.Register) bed.told.manager();
    assertThat(event).isEqualTo(new GangEvent.Register(event.call(), GANG, "w1", List.of(1, 3)));
    Welcome welcome = new Welcome(new int[] {3}, 4_000);
    door.welcome(event.call(), welcome);

    assertThat(asked.get(30, TimeUnit.SECONDS)).isSameAs(welcome);
    assertThat(managed.get(GANG).member("w1").address()).isEqualTo(ADDRESS);
  }

  @Test
  void worker_that_cannot_be_called_back_is_not_registered() throws Exception {
    GangDoor door = door(60_000);
    calledBack.fails(Kind.UNREACHABLE, Kind.UNREACHABLE);

    Welcome welcome = door.register(GANG, REGISTRATION);

    assertThat(welcome).isSameAs(Welcome.UNREACHED);
    bed.told.nothingElse();
  }

  @Test
  void gang_that_is_not_managed_here_is_gone_without_asking_the_loop() throws Exception {
    GangDoor door = door(60_000);

    assertThat(door.report("gang-2", report(false))).isEqualTo(Standing.GONE);
    assertThat(door.register("gang-2", REGISTRATION).accepted()).isEmpty();
    bed.told.nothingElse();
  }

  private static Report report(boolean leaving, RankEnd... ends) {
    return new Report("w1", ends, leaving);
  }

  @Test
  void report_tells_the_loop_how_ranks_ended_once_the_gang_knows() throws Exception {
    GangDoor door = door(60_000);
    managed.get(GANG).begins("job", 2, Map.of("w1", List.of(0, 1, 2)), 100);
    RankEnd failed = RankEnds.end("job", 2, 1, "FAILED");
    RankEnd left = RankEnds.end("job", 2, 2, EndedRanks.LEFT);
    CompletableFuture<Standing> asked =
        CompletableFuture.supplyAsync(() -> door.report(GANG, report(true, failed, left)));

    GangEvent.Report event = (GangEvent.Report) bed.told.manager();

    assertThat(event.ended())
        .containsExactly(
            new GangEvent.Ended("job", 2, 1, How.FAILED),
            new GangEvent.Ended("job", 2, 2, How.LEFT));
    assertThat(event.leaving()).isTrue();
    assertThat(managed.get(GANG).ends("job")).isEqualTo(Map.of(1, failed, 2, left));
    door.standing(event.call(), new Standing(true, 7_000));
    assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(new Standing(true, 7_000));
  }

  @Test
  void end_of_a_rank_that_another_worker_holds_is_dropped() throws Exception {
    GangDoor door = door(60_000);
    managed.get(GANG).begins("job", 2, Map.of("w1", List.of(0), "w2", List.of(1)), 100);
    RankEnd forged = RankEnds.end("job", 2, 1, "SUCCEEDED");
    RankEnd beyond = RankEnds.end("job", 2, 2, "SUCCEEDED");
    CompletableFuture<Standing> asked =
        CompletableFuture.supplyAsync(() -> door.report(GANG, report(false, forged, beyond)));

    GangEvent.Report event = (GangEvent.Report) bed.told.manager();

    assertThat(event.ended()).isEmpty();
    assertThat(managed.get(GANG).ends("job")).isEmpty();
    door.standing(event.call(), new Standing(true, 7_000));
    assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(new Standing(true, 7_000));
  }

  @Test
  void slow_loop_is_a_call_that_timed_out_and_no_gang_that_is_gone() {
    GangDoor door = door(20);

    timesOut(() -> door.report(GANG, report(false)));
    timesOut(() -> door.register(GANG, REGISTRATION));
    timesOut(() -> door.start(GANG, START));
  }

  @Test
  void order_is_still_there_for_a_loop_that_answers_too_late() throws Exception {
    GangDoor door = door(20);
    timesOut(() -> door.start(GANG, START));

    SubWorkerEvent.StartOrdered event = (SubWorkerEvent.StartOrdered) bed.told.subWorker();
    assertThat(door.order(event.call())).isSameAs(START);
    assertThat(door.order(event.call())).as("once it was answered").isNull();
  }

  private static void timesOut(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
  }

  @Test
  void worker_elsewhere_never_hears_from_a_slow_loop_that_the_gang_is_gone() {
    for (long patience : new long[] {20, 60_000}) {
      GangDoor door = door(patience);
      Secrets secrets = new Secrets();
      secrets.manage(GANG, secret);
      assertThat(secrets.join(GANG, "w1", "own", "")).isTrue();
      try (Endpoint endpoint = Endpoint.open("127.0.0.1", 0, door, door, secrets, Identity.none());
          Stubs stubs = new Stubs(RmiSettings.defaults().withTimeouts(500, 500), Identity.none())) {
        assertThatThrownBy(
                () -> stubs.manager(endpoint.address(), "own").report(GANG, report(false)))
            .isInstanceOfSatisfying(
                HpcCallException.class,
                e -> assertThat(e.kind()).isIn(Kind.TIMED_OUT, Kind.FAILED));
      }
    }
  }

  @Test
  void order_to_start_is_kept_until_the_loop_has_taken_it_once() throws Exception {
    GangDoor door = door(60_000);
    CompletableFuture<Standing> asked =
        CompletableFuture.supplyAsync(() -> door.start(GANG, START));

    SubWorkerEvent.StartOrdered event = (SubWorkerEvent.StartOrdered) bed.told.subWorker();

    assertThat(event)
        .isEqualTo(new SubWorkerEvent.StartOrdered(event.call(), GANG, "job", 2, List.of(0)));
    assertThat(door.order(event.call())).isSameAs(START);
    assertThat(door.order(event.call())).isNull();
    door.starts(event.call(), true);
    assertThat(asked.get(30, TimeUnit.SECONDS).known()).isTrue();
  }

  @Test
  void orders_to_end_are_told_and_not_waited_for() throws Exception {
    GangDoor door = door(60_000);

    door.kill(GANG, new KillRanks("job", 2));
    door.dissolve(GANG);

    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.KillOrdered(GANG, "job", 2));
    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.DissolveOrdered(GANG));
  }

  @Test
  void message_for_a_rank_that_is_not_here_is_to_be_sent_again() {
    assertThat(door(60_000).deliver(GANG, new RankMessage("job", 2, 1, 0, new byte[0]))).isFalse();
  }
}
