package io.cloudkon.worker.gang;

import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.worker.acknowledge.Acknowledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gangs whose ranks this worker has or was offered, with the calls to their managers. Blocking
 * calls run on other threads and report to the inbox. Thread safe.
 */
final class ServedGangs {
  /** The prefix of the handle of an offer that this worker makes to itself, without a message. */
  private static final String HERE = "here:";

  private final Managers managers;
  private final Secrets secrets;
  private final RankRuns runs;
  private final OfferSender offerSender;
  private final Acknowledger offersTaken;
  private final GangInbox inbox;
  private final Executor io;
  private final OtherTls otherTls;
  private final UnreachableHere unreachable;
  private final Registrations registrations;
  private final RankReports reports;
  private final Predicate<String> seated;

  /** The offers, by the handles of their messages. */
  private final Map<String, RankOffer> offers = new HashMap<>();

  private final Map<String, Served> served = new HashMap<>();

  /**
   * A gang whose ranks this worker has or was offered.
   *
   * @param address its manager's address
   * @param own whether this worker is its manager
   * @param link the link to the manager, as reports have shown it
   */
  record Served(
      ManagerPort manager,
      String address,
      boolean own,
      Map<Integer, String> tickets,
      ReportLink link) {

    /** The same gang without what reports of its former ranks have shown or left under way. */
    Served afresh() {
      return new Served(manager, address, own, tickets, new ReportLink());
    }
  }

  /**
   * The calls to managers.
   *
   * @param worker this worker's id
   * @param here this worker's address, read only while it serves; a manager may be its own
   *     sub-worker
   * @param own this worker as a manager
   * @param others the other workers, by address and this worker's own secret
   */
  record Managers(
      String worker,
      Supplier<Address> here,
      ManagerPort own,
      BiFunction<Address, String, ManagerPort> others) {

    /** The calls to the manager that made this offer. */
    ManagerPort of(RankOffer offer, String secret) {
      Address address = address(offer);
      return address.equals(here.get()) ? own : others.apply(address, secret);
    }

    /** Whether this worker made this offer itself. */
    boolean isOwn(RankOffer offer) {
      return address(offer).equals(here.get());
    }

    private static Address address(RankOffer offer) {
      return Address.parse(offer.manager()).of(offer.fingerprint());
    }

    /** Whether both workers encrypt their calls or neither does. */
    boolean speaksWith(RankOffer offer) {
      return offer.fingerprint().isEmpty() == here.get().fingerprint().isEmpty();
    }
  }

  /**
   * Starts without gangs.
   *
   * @param offersTaken deletes offers and puts them back
   * @param offerSender sends put-back offers that came without a message
   * @param unreachable keeps offers for other workers while managers cannot call this one
   * @param seated whether the state machine has ranks of a gang or asks for some; called only by
   *     the thread that carries out its effects
   */
  ServedGangs(
      Managers managers,
      Secrets secrets,
      RankRuns runs,
      OfferSender offerSender,
      Acknowledger offersTaken,
      GangInbox inbox,
      TimeSource time,
      Executor io,
      UnreachableHere unreachable,
      Predicate<String> seated) {
    this.managers = managers;
    this.secrets = secrets;
    this.runs = runs;
    this.offerSender = offerSender;
    this.offersTaken = offersTaken;
    this.inbox = inbox;
    this.io = io;
    this.unreachable = unreachable;
    this.registrations = new Registrations(managers, secrets, unreachable, time);
    this.reports = new RankReports(managers.worker(), runs.untold(), time, io);
    this.seated = seated;
    this.otherTls = new OtherTls(time::monotonicNanos);
  }

  // ---- offers

  /**
   * Handles an offer of a rank; must be called before the state machine gets it.
   *
   * @return false if the offer is left to other workers; then the state machine must not get it
   * @throws IllegalArgumentException if the manager's address is invalid; then the offer is not
   *     kept
   */
  boolean offered(String handle, RankOffer offer) {
    ManagerPort manager = managers.of(offer, secrets.own(offer.gang()));
    if (!managers.speaksWith(offer)) {
      otherTls.refuse(offer);
      io.execute(offersTaken.hide(handle, OtherTls.HIDDEN_MILLIS));
      return false;
    }
    if (!handle.startsWith(HERE) && avoids(offer.job())) {
      io.execute(offersTaken.hide(handle, OtherTls.HIDDEN_MILLIS));
      return false;
    }
    boolean own = managers.isOwn(offer);
    if (!own && unreachable.pauses()) {
      io.execute(offersTaken.hide(handle, 0));
      return false;
    }
    synchronized (this) {
      served
          .computeIfAbsent(
              offer.gang(),
              gang -> {
                secrets.serve(gang, offer.fingerprint());
                return new Served(
                    manager, offer.manager(), own, new ConcurrentHashMap<>(), new ReportLink());
              })
          .tickets()
          .put(offer.rank(), offer.secret());
      offers.put(handle, offer);
    }
    return true;
  }

  /** Whether this worker takes no ranks of the job now, because it could not start them. */
  boolean avoids(String job) {
    return runs.avoids(job);
  }

  /**
   * Handles an offer of its own manager, which comes without a message, and returns the offer for
   * the state machine.
   */
  SubWorkerEvent.Offer offeredHere(RankOffer offer) {
    String handle = HERE + UUID.randomUUID();
    var unused = offered(handle, offer);
    return new SubWorkerEvent.Offer(
        handle, offer.gang(), offer.job(), offer.rank(), offer.deadlineMillis());
  }

  /** Deletes offers. */
  void delete(List<String> handles) {
    for (String handle : handles) {
      if (!handle.startsWith(HERE)) {
        offersTaken.delete(handle, () -> {});
      }
      RankOffer unused = gone(handle);
    }
  }

  /** Makes offers visible to other workers at once. */
  void putBack(List<String> handles) {
    for (String handle : handles) {
      RankOffer offer = gone(handle);
      if (!handle.startsWith(HERE)) {
        io.execute(offersTaken.hide(handle, 0));
      } else if (offer != null) {
        // The slots were taken meanwhile, so all workers get the offer.
        offerSender.send(offer, ""); // an offer does not carry its client
      }
    }
  }

  private synchronized @Nullable RankOffer gone(String handle) {
    RankOffer offer = offers.remove(handle);
    if (offer != null) {
      letGo(offer.gang());
    }
    return offer;
  }

  // ---- gangs

  private synchronized @Nullable Served served(String gang) {
    return served.get(gang);
  }

  /** Forgets a gang that has no ranks here any more. */
  void forget(String gang) {
    runs.forget(gang);
    synchronized (this) {
      served.computeIfPresent(gang, (id, known) -> known.afresh());
    }
    letGo(gang);
  }

  /** Removes the gang, unless it has offers or ranks here. */
  private synchronized void letGo(String gang) {
    boolean offered = offers.values().stream().anyMatch(offer -> offer.gang().equals(gang));
    if (!offered && !seated.test(gang)) {
      served.remove(gang);
      secrets.leave(gang);
    }
  }

  /** Starts ranks as their manager ordered. */
  void start(String id, StartRanks order) {
    if (served(id) != null) {
      secrets.peers(id, order.peers());
      runs.start(id, order);
    }
  }

  /** Asks a manager for ranks; returns at once. */
  void register(SubWorkerEffect.Register register) {
    Served gang = served(register.gang());
    io.execute(() -> inbox.tell(registrations.made(register, gang)));
  }

  /** Reports the state of its ranks to a manager; returns at once. */
  void beat(SubWorkerEffect.Beat beat) {
    Served gang = served(beat.gang());
    io.execute(() -> inbox.tell(reports.made(beat, gang)));
  }
}
