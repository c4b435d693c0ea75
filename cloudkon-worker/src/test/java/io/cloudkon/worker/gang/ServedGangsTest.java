package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.OfferCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.Welcome;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.pipeline.Later;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sub-worker's gangs, whose managers the test plays. */
@Timeout(60)
class ServedGangsTest {
  private static final String GANG = "g";
  private static final Address HERE = new Address("127.0.0.1", 4_700);
  private static final Address THERE = new Address("127.0.0.1", 4_711);

  private final RankBed bed = new RankBed();
  private final RequestQueue queue = new MemoryCloud(bed.time).setup("Q").hpc().ranks();
  private final Later later = new Later();
  private final BackOff backOff = new BackOff(1, 1, new Random(1));
  private final OfferSender sender = new OfferSender(queue, bed.inbox, later, backOff, bed.time);
  private final Acknowledger taken = new Acknowledger(queue, later, backOff);
  private final Secrets secrets = new Secrets();
  private final Set<String> seated = new HashSet<>();
  private final List<String> called = new ArrayList<>();
  private final FakeManager own = new FakeManager("own");
  private final FakeManager other = new FakeManager("other");
  private final UnreachableHere unreachable =
      new UnreachableHere(bed.time::monotonicNanos, address -> {});
  private ServedGangs served;

  /** Answers, or throws. */
  private final class FakeManager implements ManagerPort {
    private final String name;
    private @Nullable Throwable failure;
    private boolean unreached;

    /** Happens when it is called. */
    private Runnable before = () -> {};

    /** The least factor on the timeout with which a report with ends arrives. */
    private int slowness = 1;

    /** How a report with ends fails that has more time; null if it arrives. */
    private @Nullable RuntimeException lost;

    /** Happens before a report that is too slow has failed. */
    private Runnable meanwhile = () -> {};

    FakeManager(String name) {
      this.name = name;
    }

    private void called(String what) {
      called.add(name + ": " + what);
      before.run();
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {}
      }
    }

    @Override
    public Welcome register(String gang, Registration registration) {
      called("register %s %s".formatted(gang, registration.worker()));
      return unreached ? Welcome.UNREACHED : new Welcome(registration.ranks(), 700);
    }

    @Override
    public Standing report(String gang, Report report) {
      return report(gang, report, 1);
    }

    @Override
    public Standing report(String gang, Report report, int times) {
      int ends = report.ended().length;
      String with = ends == 0 ? "" : ", %d ends, %d times".formatted(ends, times);
      called("report %s %s".formatted(gang, report.leaving()) + with);
      if (ends > 0 && times > 1 && lost != null) {
        throw lost;
      }
      if (ends > 0 && times < slowness) {
        meanwhile.run();
        throw new HpcCallException(HpcCallException.Kind.TIMED_OUT, "planted", null);
      }
      return new Standing(true, 600);
    }
  }

  @BeforeEach
  void start() {
    served =
        new ServedGangs(
            new ServedGangs.Managers("me", () -> HERE, own, (address, secret) -> other),
            secrets,
            bed.runs,
            sender,
            taken,
            bed.inbox,
            bed.time,
            Runnable::run,
            unreachable,
            seated::contains);
  }

  @AfterEach
  void close() throws Exception {
    sender.close();
    taken.close();
    later.close();
    bed.close();
  }

  private static RankOffer offer(String manager, int rank) {
    return new RankOffer(GANG, RankBed.JOB, 1, rank, 4, manager, "s3cr3t", Long.MAX_VALUE, "");
  }

  private static SubWorkerEffect.Register register() {
    return register(0);
  }

  private static SubWorkerEffect.Register register(long until) {
    return new SubWorkerEffect.Register(GANG, List.of(1), until);
  }

  private static SubWorkerEffect.Beat beat(boolean leaving) {
    return new SubWorkerEffect.Beat(GANG, List.of(), leaving);
  }

  private static final SubWorkerEvent NOT_REGISTERED =
      new SubWorkerEvent.RegisterFailed(GANG, List.of(1));

  /** Whether calls of managers are answered at all, as there is one gang. */
  private boolean answers() {
    return secrets.toString().contains(" 1 that are served");
  }

  // ---- what managers are asked and told

  @Test
  void ranks_are_asked_of_the_manager_that_offered_them() throws Exception {
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register());

    Moment now = bed.time.now();
    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Welcomed(GANG, List.of(1), List.of(1), 700, now));
    assertThat(called).containsExactly("other: register g me");
  }

  @Test
  void own_gang_is_asked_without_a_call() throws Exception {
    served.offered("h", offer(HERE.toString(), 1));

    served.register(register());

    assertThat(bed.told.subWorker()).isInstanceOf(SubWorkerEvent.Welcomed.class);
    assertThat(called).containsExactly("own: register g me");
  }

  @Test
  void manager_that_does_not_answer_is_asked_twice_and_then_has_not_registered() throws Exception {
    other.failure = new HpcCallException(HpcCallException.Kind.TIMED_OUT, "planted", null);
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register());

    assertThat(bed.told.subWorker()).isEqualTo(NOT_REGISTERED);
    assertThat(called).hasSize(2);
  }

  @Test
  void manager_whose_calls_are_slow_at_first_is_asked_for_as_long_as_its_gang_may_fill()
      throws Exception {
    long until = bed.time.now().service() + 5_000;
    other.failure = new HpcCallException(HpcCallException.Kind.TIMED_OUT, "planted", null);
    other.before =
        () -> {
          bed.time.advance(Duration.ofSeconds(2));
          if (called.size() == 3) {
            other.failure = null;
          }
        };
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register(until));

    Moment begun = bed.time.now().plus(-2_000);
    assertThat(bed.told.subWorker())
        .as("a lease that counts from the call that was answered")
        .isEqualTo(new SubWorkerEvent.Welcomed(GANG, List.of(1), List.of(1), 700, begun));
    assertThat(called).hasSize(3);
  }

  @Test
  void manager_that_never_answers_is_asked_until_its_gang_cannot_fill_any_more() throws Exception {
    long until = bed.time.now().service() + 5_000;
    other.failure = new HpcCallException(HpcCallException.Kind.TIMED_OUT, "planted", null);
    other.before = () -> bed.time.advance(Duration.ofSeconds(2));
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register(until));

    assertThat(bed.told.subWorker()).isEqualTo(NOT_REGISTERED);
    assertThat(called).as("the last try begins after four seconds").hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"UNREACHABLE, 2", "REFUSED, 1"})
  void manager_that_is_gone_keeps_no_slots(HpcCallException.Kind kind, int calls) throws Exception {
    other.failure = new HpcCallException(kind, "planted", null);
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register(Long.MAX_VALUE));

    assertThat(bed.told.subWorker()).isEqualTo(NOT_REGISTERED);
    assertThat(called).hasSize(calls);
  }

  @Test
  void registration_that_breaks_is_told_as_failed() throws Exception {
    other.failure = new NoClassDefFoundError("planted");
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register());

    assertThat(bed.told.subWorker()).isEqualTo(NOT_REGISTERED);
  }

  @Test
  void registration_of_a_gang_that_is_not_known_fails() throws Exception {
    served.register(register());

    assertThat(bed.told.subWorker()).isEqualTo(NOT_REGISTERED);
  }

  @Test
  void beat_says_whether_this_worker_leaves() throws Exception {
    served.offered("h", offer(THERE.toString(), 1));

    served.beat(beat(false));
    served.beat(beat(true));

    SubWorkerEvent answered = new SubWorkerEvent.Answered(GANG, true, 600, 0, bed.time.now());
    assertThat(bed.told.subWorker()).isEqualTo(answered);
    assertThat(bed.told.subWorker()).isEqualTo(answered);
    assertThat(called).containsExactly("other: report g false", "other: report g true");
  }

  @Test
  void beat_that_breaks_is_told_as_failed() throws Exception {
    other.failure = new IllegalStateException("planted");
    served.offered("h", offer(THERE.toString(), 1));

    served.beat(beat(false));

    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.BeatFailed(GANG));
  }

  @Test
  void manager_that_refuses_a_beat_knows_the_gang_no_more() throws Exception {
    other.failure = new HpcCallException(HpcCallException.Kind.REFUSED, "planted", null);
    served.offered("h", offer(THERE.toString(), 1));

    served.beat(beat(false));

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, false, 0, 0, bed.time.now()));
  }

  @Test
  void beat_brings_the_ends_and_forgets_them_once_they_are_told() throws Exception {
    served.offered("h", offer(THERE.toString(), 1));
    served.start(GANG, RankBed.order(1));
    GangEvent.Ended end = ((SubWorkerEvent.RankEnded) bed.told.subWorker()).end();

    served.beat(new SubWorkerEffect.Beat(GANG, List.of(end), false));

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 1, bed.time.now()));
    assertThat(bed.runs.untold().ends(GANG, List.of(end))).isEmpty();
  }

  @Test
  void ends_over_a_slow_link_come_beside_plain_beats_with_ever_more_time() throws Exception {
    other.slowness = 4;
    served.offered("h", offer(THERE.toString(), 1));
    served.start(GANG, RankBed.order(1));
    GangEvent.Ended end = ((SubWorkerEvent.RankEnded) bed.told.subWorker()).end();
    SubWorkerEffect.Beat beat = new SubWorkerEffect.Beat(GANG, List.of(end), false);

    served.beat(beat);
    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.BeatFailed(GANG));
    served.beat(beat);
    assertThat(bed.told.subWorker())
        .as("it is alive")
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 0, bed.time.now()));
    assertThat(bed.runs.untold().ends(GANG, List.of(end))).hasSize(1);
    served.beat(beat);

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 1, bed.time.now()));
    assertThat(bed.runs.untold().ends(GANG, List.of(end))).isEmpty();
    assertThat(called)
        .containsExactly(
            "other: report g false, 1 ends, 1 times",
            "other: report g false",
            "other: report g false, 1 ends, 2 times",
            "other: report g false",
            "other: report g false, 1 ends, 4 times");
  }

  /** A beat with the end of rank 1, of an offer of the other worker. */
  private SubWorkerEffect.Beat beatWithAnEnd(String handle) throws Exception {
    served.offered(handle, offer(THERE.toString(), 1));
    served.start(GANG, RankBed.order(1));
    GangEvent.Ended end = ((SubWorkerEvent.RankEnded) bed.told.subWorker()).end();
    return new SubWorkerEffect.Beat(GANG, List.of(end), false);
  }

  private static Stream<RuntimeException> losses() {
    return Stream.of(
        new HpcCallException(HpcCallException.Kind.UNREACHABLE, "planted", null),
        new HpcCallException(HpcCallException.Kind.FAILED, "planted", null),
        new HpcCallException(HpcCallException.Kind.INTERRUPTED, "planted", null),
        new IllegalStateException("planted"));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void ends_that_do_not_arrive_beside_a_beat_leave_its_answer_and_get_more_time(
      RuntimeException loss) throws Exception {
    other.slowness = 2;
    SubWorkerEffect.Beat beat = beatWithAnEnd("h");
    served.beat(beat);
    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.BeatFailed(GANG));
    other.lost = loss;

    served.beat(beat);

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 0, bed.time.now()));
    other.lost = null;
    served.beat(beat);
    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 1, bed.time.now()));
    assertThat(called).last().isEqualTo("other: report g false, 1 ends, 4 times");
  }

  @Test
  void manager_that_refuses_ends_beside_a_beat_knows_the_gang_no_more() throws Exception {
    other.slowness = 2;
    SubWorkerEffect.Beat beat = beatWithAnEnd("h");
    served.beat(beat);
    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.BeatFailed(GANG));
    other.lost = new HpcCallException(HpcCallException.Kind.REFUSED, "planted", null);

    served.beat(beat);

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, false, 0, 0, bed.time.now()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gang_that_is_forgotten_during_a_slow_report_leaves_nothing(boolean offeredAgain)
      throws Exception {
    other.slowness = 2;
    SubWorkerEffect.Beat beat = beatWithAnEnd("h");
    if (!offeredAgain) {
      seated.add(GANG);
      served.delete(List.of("h"));
    }
    other.meanwhile =
        () -> {
          seated.remove(GANG);
          served.forget(GANG);
        };
    served.beat(beat);
    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.BeatFailed(GANG));
    other.slowness = 1;

    served.beat(beatWithAnEnd("h2"));

    assertThat(bed.told.subWorker())
        .isEqualTo(new SubWorkerEvent.Answered(GANG, true, 600, 1, bed.time.now()));
    assertThat(called).last().isEqualTo("other: report g false, 1 ends, 1 times");
  }

  @Test
  void worker_that_its_manager_cannot_call_leaves_offers_to_others_for_a_while() throws Exception {
    other.unreached = true;
    served.offered("h", offer(THERE.toString(), 1));

    served.register(register());

    assertThat(bed.told.subWorker()).isEqualTo(new SubWorkerEvent.Unreached(GANG, List.of(1)));
    queue.send(List.of(OfferCodec.encode(offer(THERE.toString(), 2), "client")));
    assertThat(served.offered(message().handle(), offer(THERE.toString(), 2))).isFalse();
    assertThat(take().rank()).as("visible at once").isEqualTo(2);
    assertThat(served.offered("own", offer(HERE.toString(), 3))).isTrue();
    bed.time.advance(Duration.ofSeconds(5));
    assertThat(served.offered("later", offer(THERE.toString(), 1))).isTrue();
  }

  @Test
  void worker_that_its_manager_calls_again_takes_offers_at_once_and_its_own_gangs_do_not_count()
      throws Exception {
    unreachable.unreached(THERE.toString(), HERE);
    served.offered("own", offer(HERE.toString(), 1));
    served.register(register());
    assertThat(bed.told.subWorker()).isInstanceOf(SubWorkerEvent.Welcomed.class);
    assertThat(unreachable.pauses()).isTrue();
    served.delete(List.of("own"));
    served.forget(GANG);
    bed.time.advance(Duration.ofSeconds(5));
    served.offered("h", offer(THERE.toString(), 1));
    unreachable.unreached(THERE.toString(), HERE);

    served.register(register());

    assertThat(bed.told.subWorker()).isInstanceOf(SubWorkerEvent.Welcomed.class);
    assertThat(unreachable.pauses()).isFalse();
  }

  // ---- offers

  @Test
  void nothing_is_kept_of_an_offer_whose_address_is_none() {
    assertThatThrownBy(() -> served.offered("h", offer("nowhere", 1)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(answers()).isFalse();
  }

  @Test
  void offer_of_a_manager_with_tls_is_for_others_where_this_worker_has_none() {
    RankOffer encrypted =
        new RankOffer(
            GANG, RankBed.JOB, 1, 1, 4, THERE.toString(), "s3cr3t", Long.MAX_VALUE, "x".repeat(43));

    assertThat(served.offered("h", encrypted)).isFalse();

    assertThat(answers()).isFalse();
    assertThat(OtherTls.message(encrypted))
        .isEqualTo(
            "refused rank 1 of 4 of gang g at 127.0.0.1:4711 for job "
                + RankBed.JOB
                + ", attempt 1: its manager has --rmi-tls on, but this worker has off;"
                + " use the same setting for all workers of a cluster");
    assertThat(OtherTls.message(offer(THERE.toString(), 1)))
        .contains("its manager has --rmi-tls off, but this worker has on");
    assertThat(served.offered("h2", offer(THERE.toString(), 1))).isTrue();
  }

  @Test
  void gang_is_known_until_its_last_offer_is_gone() {
    served.offered("h1", offer(THERE.toString(), 1));
    served.offered("h2", offer(THERE.toString(), 2));

    served.delete(List.of("h1"));

    assertThat(answers()).isTrue();
    served.delete(List.of("h2"));
    assertThat(answers()).isFalse();
  }

  @Test
  void gang_with_ranks_here_stays_known_when_its_offers_are_gone() {
    served.offered("h", offer(THERE.toString(), 1));
    seated.add(GANG);

    served.delete(List.of("h"));

    assertThat(answers()).isTrue();
    seated.remove(GANG);
    served.forget(GANG);
    assertThat(answers()).isFalse();
  }

  @Test
  void gang_that_is_forgotten_while_another_offer_comes_can_still_be_asked() throws Exception {
    served.offered("h1", offer(THERE.toString(), 1));
    served.delete(List.of("h1"));
    served.offered("h2", offer(THERE.toString(), 1));

    served.forget(GANG);

    served.register(register());
    assertThat(bed.told.subWorker()).isInstanceOf(SubWorkerEvent.Welcomed.class);
  }

  @Test
  void offer_that_is_put_back_shows_at_once_and_one_that_is_deleted_is_gone() throws Exception {
    String back = receive(offer(THERE.toString(), 1));
    String gone = receive(offer(THERE.toString(), 2));

    served.putBack(List.of(back));
    served.delete(List.of(gone));

    await().until(() -> queue.depth().inFlight() == 0);
    assertThat(queue.depth().waiting()).isEqualTo(1);
    assertThat(take().rank()).isEqualTo(1);
  }

  @Test
  void offer_of_its_own_that_is_put_back_goes_to_the_others() throws Exception {
    SubWorkerEvent.Offer here = served.offeredHere(offer(HERE.toString(), 3));
    assertThat(here.rank()).isEqualTo(3);

    served.putBack(List.of(here.handle()));

    assertThat(take()).isEqualTo(offer(HERE.toString(), 3));
    assertThat(answers()).isFalse();
  }

  private String receive(RankOffer offer) throws Exception {
    queue.send(List.of(OfferCodec.encode(offer, "client")));
    String handle = message().handle();
    served.offered(handle, offer);
    return handle;
  }

  private RankOffer take() throws Exception {
    return OfferCodec.decode(message().payload());
  }

  private ReceivedMessage message() throws InterruptedException {
    return queue.receive(1, Duration.ofSeconds(20), Duration.ofSeconds(20)).getFirst();
  }
}
