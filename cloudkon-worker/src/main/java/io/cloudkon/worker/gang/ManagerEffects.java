package io.cloudkon.worker.gang;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.Welcome;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches the effects of the manager's state machine: on the jobs in hand, and on the gangs that
 * run them. Used by the loop alone; returns at once.
 */
final class ManagerEffects {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerEffects.class);

  private final String worker;
  private final GangHost host;
  private final Map<Long, BundleInHand> jobs;
  private final Map<String, ManagedGang> gangs;
  private final ClaimStore claims;
  private final LedgerCaller ledger;
  private final GangDoor door;
  private final OfferRouter rankOffers;
  private final GangOrders orders;
  private final Settling settling;
  private final Secrets secrets;
  private final Supplier<Address> here;
  private final IntSupplier offerable;
  private final BiConsumer<SubWorkerEvent, Moment> subWorker;
  private final GangInbox inbox;
  private final Executor io;

  /** The jobs whose results are known and are being sent. */
  private final Set<Long> settled = new HashSet<>();

  /**
   * Manages no gang yet.
   *
   * @param worker this worker's id
   * @param jobs the jobs in hand, by key; those that end are removed
   * @param gangs the gangs that are managed here, by id; opened and dissolved here
   * @param here this worker's address
   * @param offerable the number of ranks that this worker takes itself
   * @param subWorker receives events at once, in the same moment
   */
  ManagerEffects(
      String worker,
      GangHost host,
      Map<Long, BundleInHand> jobs,
      Map<String, ManagedGang> gangs,
      ClaimStore claims,
      LedgerCaller ledger,
      GangDoor door,
      OfferRouter rankOffers,
      GangOrders orders,
      Settling settling,
      Secrets secrets,
      Supplier<Address> here,
      IntSupplier offerable,
      BiConsumer<SubWorkerEvent, Moment> subWorker,
      GangInbox inbox,
      Executor io) {
    this.worker = worker;
    this.host = host;
    this.jobs = jobs;
    this.gangs = gangs;
    this.claims = claims;
    this.ledger = ledger;
    this.door = door;
    this.rankOffers = rankOffers;
    this.orders = orders;
    this.settling = settling;
    this.secrets = secrets;
    this.here = here;
    this.offerable = offerable;
    this.subWorker = subWorker;
    this.inbox = inbox;
    this.io = io;
  }

  /** The number of jobs in hand whose results are known. */
  int settled() {
    return settled.size();
  }

  void carryOut(GangEffect effect, Moment now) {
    switch (effect) {
      case GangEffect.Receive receive -> io.execute(() -> host.receive(receive.max()));
      case GangEffect.OfBundle of -> {
        BundleInHand job = jobs.get(of.job());
        if (job != null) {
          host.carryOut(job, of.effect());
        }
        if (of.effect() instanceof BundleEffect.Close) {
          jobs.remove(of.job());
          settled.remove(of.job());
        }
      }
      case GangEffect.Rearm rearm -> {
        settled.remove(rearm.job());
        BundleInHand job = jobs.remove(rearm.job());
        if (job != null) {
          jobs.put(rearm.newKey(), job.replaced(rearm.newKey(), rearm.nonce()));
        }
      }
      case GangEffect.ReadClaim read -> io.execute(() -> readClaim(read));
      case GangEffect.OfLedger of -> ledger.call(of.call());
      case GangEffect.Open open ->
          gangs.put(open.gang(), ManagedGang.open(open.gang(), worker, secrets, here.get()));
      case GangEffect.Offer offer -> offer(offer);
      case GangEffect.Welcome welcome ->
          door.welcome(
              welcome.call(),
              new Welcome(
                  welcome.accepted().stream().mapToInt(Integer::intValue).toArray(),
                  welcome.leaseMillis()));
      case GangEffect.Standing standing ->
          door.standing(standing.call(), new Standing(standing.known(), standing.leaseMillis()));
      case GangEffect.Start start -> start(start);
      case GangEffect.KillRanks kill -> orders.kill(kill, gangs.get(kill.gang()));
      case GangEffect.Dissolve dissolve -> {
        orders.dissolve(dissolve, gangs.remove(dissolve.gang()));
        secrets.dismiss(dissolve.gang());
      }
      case GangEffect.Settle settle -> {
        settled.add(settle.job());
        settle(settle);
      }
      case GangEffect.Reserved reserved ->
          subWorker.accept(new SubWorkerEvent.Reserved(reserved.reservation()), now);
    }
  }

  private void readClaim(GangEffect.ReadClaim read) {
    try {
      inbox.tell(
          new GangEvent.ClaimRead(
              read.job(), claims.read(List.of(read.claim())).get(read.claim())));
    } catch (RuntimeException | Error e) {
      // This read is optional: a worker that acquires the claim learns the same.
      LOG.debug("could not read the claim of job {}: {}", read.claim(), e.toString());
    }
  }

  private void offer(GangEffect.Offer offer) {
    ManagedGang gang = gangs.get(offer.gang());
    BundleInHand job = jobs.get(offer.job());
    if (gang == null || job == null) {
      return;
    }
    rankOffers.offer(offer, gang, job.header(), offerable.getAsInt());
  }

  private void start(GangEffect.Start start) {
    ManagedGang gang = gangs.get(start.gang());
    BundleInHand job = jobs.get(start.job());
    if (gang != null && job != null) {
      settled.remove(start.job());
      orders.start(start, gang, job);
    }
  }

  private void settle(GangEffect.Settle settle) {
    BundleInHand job = jobs.get(settle.job());
    if (job != null) {
      settling.settle(settle, job, gangs.get(settle.gang()));
    }
  }
}
