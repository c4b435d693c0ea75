package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.BundleSettings;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.bundle.RetrySettings;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One manager with a ledger, claims and time. Services answer at once; sub-workers are played by
 * the test, and ranks end when it says so.
 */
final class GangBench {
  static final String JOB = "run/e/0";

  final Ledger ledger = new Ledger();
  final Map<String, Claim> claims = new HashMap<>();
  final ManagerMachine manager;

  /** What was wanted, in order, by its name. */
  final List<String> order = new ArrayList<>();

  final List<GangEffect> effects = new ArrayList<>();
  Moment now = new Moment(10_000, 3_000_000);

  /** What is read of the provisioner; null if reading it fails. */
  RankLimit.@Nullable Fleet fleet = RankLimit.Fleet.NONE;

  /** How many noted that they cannot start the job, this one included. */
  int workersThatCannotStart = 1;

  /** Whether a question for the slots of a reservation stays without an answer. */
  boolean silentAdmissions;

  /** Whether the queue of dead letters gives no answer. */
  boolean silentDead;

  /** Whether the test itself says that results are made. */
  boolean silentResults;

  private final Deque<GangEvent> events = new ArrayDeque<>();
  private long names;
  private long calls;
  private boolean busy;

  GangBench(int slots) {
    this(slots, 0);
  }

  GangBench(int slots, int maxRanks) {
    manager = new ManagerMachine(settings("me", slots, maxRanks), () -> "n" + ++names);
    tick();
    tick();
  }

  static GangSettings settings(String worker, int slots, int maxRanks) {
    BundleSettings bundles =
        new BundleSettings(
            LeaseSettings.DEFAULT,
            ReplySettings.DEFAULT,
            AttemptSettings.DEFAULT,
            RetrySettings.DEFAULT);
    return new GangSettings(worker, slots, bundles, 10_000, 60_000, maxRanks, 2_000);
  }

  /** Another worker brings slots; its lease does not end. */
  void join(String worker, int slots) {
    boolean unused =
        LedgerRules.change(
            ledger,
            new LedgerChange.Join("j" + worker, Share.ofWorker(worker, slots, Long.MAX_VALUE / 2)));
    later(31_000);
  }

  static Bundle job(String id, int ranks, Consistency mode) {
    return job(id, ranks, mode, 0);
  }

  private static Bundle job(String id, int ranks, Consistency mode, int retries) {
    BundleHeader header = new BundleHeader("run", "e", id, "Q-response", mode, 1024, 0, 0, 0);
    Work work = new Work.Hpc(ranks, false, Work.Noop.INSTANCE);
    return new Bundle(header, List.of(new Task(0, "t", work, 0, retries)));
  }

  void receive(long key, String id, int ranks, Consistency mode) {
    on(new GangEvent.Received(List.of(new Arrival(key, job(id, ranks, mode), "r" + key)), now));
    tick();
  }

  /** A job of so many ranks whose ranks run on other workers, one each. */
  String running(int ranks, Consistency mode) {
    receive(1, JOB, ranks, mode);
    return starts(ranks);
  }

  /** Receives a job that is tried again so often after a rank failed. */
  void receiveWithRetries(int ranks, int retries) {
    Bundle job = job(JOB, ranks, Consistency.EXACTLY_ONCE, retries);
    on(new GangEvent.Received(List.of(new Arrival(1, job, "r1")), now));
    tick();
  }

  /** The last gang that was offered fills with other workers, one for each rank. */
  String starts(int ranks) {
    String gang = last(GangEffect.Offer.class).gang();
    for (int rank = 0; rank < ranks; rank++) {
      register(gang, "w" + rank, rank);
    }
    return gang;
  }

  void register(String gang, String worker, int... ranks) {
    on(
        new GangEvent.Register(
            ++calls, gang, worker, java.util.Arrays.stream(ranks).boxed().toList()));
  }

  void beat(String gang, String worker, GangEvent.Ended... ended) {
    on(new GangEvent.Report(++calls, gang, worker, List.of(ended), false));
  }

  /** The worker leaves, and its receive is cut short. */
  void drain(GangEvent how) {
    on(how);
    on(new GangEvent.ReceiveFailed());
  }

  /** A beat of a sub-worker that drains. */
  void leaves(String gang, String worker, GangEvent.Ended... ended) {
    on(new GangEvent.Report(++calls, gang, worker, List.of(ended), true));
  }

  static GangEvent.Ended ended(int rank, GangEvent.How how) {
    return new GangEvent.Ended(JOB, 1, rank, how);
  }

  static GangEvent.Ended ended(int attempt, int rank, boolean ok) {
    return new GangEvent.Ended(JOB, attempt, rank, ok ? GangEvent.How.WELL : GangEvent.How.FAILED);
  }

  void later(long millis) {
    for (long left = millis; left > 0; left -= 50) {
      now = now.plus(Math.min(50, left));
      tick();
    }
  }

  void tick() {
    on(new GangEvent.Tick());
  }

  void on(GangEvent event) {
    events.add(event);
    if (busy) {
      return;
    }
    busy = true;
    while (!events.isEmpty()) {
      for (GangEffect effect : manager.on(events.remove(), now)) {
        effects.add(effect);
        carryOut(effect);
      }
    }
    busy = false;
  }

  <E extends GangEffect> E last(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList().getLast();
  }

  <E extends GangEffect> long count(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).count();
  }

  /** The ranks of each offer, in order. */
  List<List<Integer>> offers() {
    return effects.stream()
        .filter(GangEffect.Offer.class::isInstance)
        .map(effect -> ((GangEffect.Offer) effect).ranks())
        .toList();
  }

  Claim claim() {
    return java.util.Objects.requireNonNull(claims.get(JOB));
  }

  private void carryOut(GangEffect effect) {
    switch (effect) {
      case GangEffect.OfLedger of -> ledger(of.call());
      case GangEffect.OfBundle of -> bundle(of.job(), of.effect());
      case GangEffect.Offer offer -> order.add("offer");
      case GangEffect.Start start -> order.add("start");
      case GangEffect.Dissolve dissolve -> order.add("dissolve");
      case GangEffect.KillRanks kill -> order.add("kill");
      case GangEffect.Settle settle -> {
        order.add("settle");
        if (!silentResults) {
          made(settle);
        }
      }
      case GangEffect.ReadClaim read ->
          on(new GangEvent.ClaimRead(read.job(), claims.get(read.claim())));
      case GangEffect.Receive receive -> {}
      case GangEffect.Rearm rearm -> {}
      case GangEffect.Open open -> {}
      case GangEffect.Welcome welcome -> {}
      case GangEffect.Standing standing -> {}
      case GangEffect.Reserved reserved -> {}
    }
  }

  /** The result of a job is made. */
  void made(GangEffect.Settle settle) {
    Positions all = Positions.range(0, 1);
    boolean failed = settle.verdict() instanceof GangEffect.Verdict.RankFailed;
    on(
        new GangEvent.OfBundle(
            settle.job(), new BundleEvent.Finished(all, 10, failed ? all : Positions.none())));
  }

  private void ledger(CapacityEffect.Call call) {
    switch (call) {
      case CapacityEffect.Change(LedgerChange.AdmitReserved unanswered) when silentAdmissions ->
          order.add("AdmitReserved unanswered");
      case CapacityEffect.Change change -> {
        boolean made = LedgerRules.change(ledger, change.change());
        order.add(change.change().getClass().getSimpleName() + (made ? "" : " refused"));
        on(new GangEvent.Changed(change.change().token(), made));
      }
      case CapacityEffect.Renew renew ->
          on(new GangEvent.Renewed(renew.share().key(), LedgerRules.renew(ledger, renew.share())));
      case CapacityEffect.RenewReservation renew ->
          on(
              new GangEvent.ReservationRenewed(
                  renew.job(),
                  LedgerRules.renew(ledger, renew.job(), renew.worker(), renew.leaseEnd())));
      case CapacityEffect.PutWaiting put -> ledger.put(put.waiting());
      case CapacityEffect.RemoveWaiting remove ->
          ledger.removeWaiting(remove.job(), remove.worker());
      case CapacityEffect.View view -> on(new GangEvent.Viewed(ledger.view(), now, fleet));
      case CapacityEffect.Look look -> on(new GangEvent.Looked(ledger.reservation()));
      case CapacityEffect.LookForRoom look ->
          on(new GangEvent.Looked(ledger.counter(), ledger.reservation()));
    }
  }

  private void bundle(long job, BundleEffect effect) {
    switch (effect) {
      case BundleEffect.CallClaims call -> claims(job, call.call());
      case BundleEffect.SendResults send -> {
        order.add("results");
        on(new GangEvent.OfBundle(job, new BundleEvent.ResultsAccepted(send.tasks())));
      }
      case BundleEffect.SendLost send -> {
        order.add("LOST");
        on(new GangEvent.OfBundle(job, new BundleEvent.ResultsAccepted(send.tasks())));
      }
      case BundleEffect.SendFailed send -> {
        order.add("FAILED " + send.reason());
        on(new GangEvent.OfBundle(job, new BundleEvent.ResultsAccepted(send.tasks())));
      }
      case BundleEffect.SendDead send -> {
        order.add("dead");
        if (!silentDead) {
          on(new GangEvent.OfBundle(job, new BundleEvent.DeadAccepted(send.tasks())));
        }
      }
      case BundleEffect.DeleteMessage delete -> {
        order.add("delete");
        on(new GangEvent.OfBundle(job, new BundleEvent.Deleted()));
      }
      case BundleEffect.PutBack back -> order.add("put back");
      case BundleEffect.SendChild child -> {}
      case BundleEffect.ExtendVisibility extend -> {}
      case BundleEffect.NoteSick note -> {
        order.add("note");
        on(
            new GangEvent.OfBundle(
                job, new BundleEvent.SickNoted(note.claim(), workersThatCannotStart)));
      }
      case BundleEffect.Kill kill -> {}
      case BundleEffect.Close close -> {}
    }
  }

  private void claims(long job, ClaimEffect.Call call) {
    switch (call) {
      case ClaimEffect.Acquire acquire -> {
        String id = acquire.acquisition().id();
        Optional<Claim> made = ClaimRules.acquire(claims.get(id), acquire.acquisition());
        order.add("claim");
        on(new GangEvent.OfBundle(job, new BundleEvent.AcquireAnswered(id, answer(id, made))));
      }
      case ClaimEffect.Write write -> {
        String id = write.write().id();
        Optional<Claim> made = ClaimRules.write(claims.get(id), write.write());
        if (write.write().state() != ClaimState.LEASED) {
          order.add(write.write().state().name());
        }
        on(
            new GangEvent.OfBundle(
                job, new BundleEvent.WriteAnswered(id, write.write().seq(), answer(id, made))));
      }
      case ClaimEffect.Survive survive -> {
        String id = survive.id();
        ClaimAnswer unused = answer(id, ClaimRules.survive(claims.get(id), survive.attempt()));
      }
    }
  }

  private ClaimAnswer answer(String id, Optional<Claim> made) {
    made.ifPresent(claim -> claims.put(id, claim));
    return made.<ClaimAnswer>map(ClaimAnswer.Accepted::new)
        .orElseGet(() -> new ClaimAnswer.Refused(claims.get(id)));
  }
}
