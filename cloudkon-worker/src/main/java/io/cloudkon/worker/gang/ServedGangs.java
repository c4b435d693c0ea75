package io.cloudkon.worker.gang;

import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.Welcome;
import io.cloudkon.worker.acknowledge.Acknowledger;
import java.util.Arrays;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gangs whose ranks this worker was offered or has: who manages them, and what is asked of and
 * told to these managers. What blocks is done elsewhere, and tells the inbox. Thread safe.
 */
final class ServedGangs {
  private static final Logger LOG = LoggerFactory.getLogger(ServedGangs.class);

  /** Begins the handle of an offer that its own worker takes, without a message. */
  private static final String HERE = "here:";

  private final Managers managers;
  private final Secrets secrets;
  private final RankRuns runs;
  private final OfferSender offerSender;
  private final Acknowledger offersTaken;
  private final GangInbox inbox;
  private final TimeSource time;
  private final Executor io;
  private final OtherTls otherTls;
  private final Predicate<String> seated;

  /** By the handles of their messages. */
  private final Map<String, RankOffer> offers = new HashMap<>();

  private final Map<String, Served> served = new HashMap<>();

  /** A gang of which this worker has ranks, or was offered some. */
  private record Served(ManagerPort manager, Map<Integer, String> tickets) {}

  /**
   * Where managers answer.
   *
   * @param worker this worker's id
   * @param here where it answers itself, asked for once it serves; it may be its own sub-worker
   * @param own this worker as a manager
   * @param others by address and this worker's own secret
   */
  record Managers(
      String worker,
      Supplier<Address> here,
      ManagerPort own,
      BiFunction<Address, String, ManagerPort> others) {

    /** The one that made this offer. */
    ManagerPort of(RankOffer offer, String secret) {
      Address address = Address.parse(offer.manager()).of(offer.fingerprint());
      return address.equals(here.get()) ? own : others.apply(address, secret);
    }

    /** Whether both sides' calls are encrypted, or neither's. */
    boolean speaksWith(RankOffer offer) {
      return offer.fingerprint().isEmpty() == here.get().fingerprint().isEmpty();
    }
  }

  /**
   * Serves nobody yet.
   *
   * @param offersTaken deletes offers, and puts them back
   * @param offerSender sends those again that came without a message
   * @param seated whether its machine has ranks of a gang, or asks for some; asked by those alone
   *     who carry out what that wants
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
      Predicate<String> seated) {
    this.managers = managers;
    this.secrets = secrets;
    this.runs = runs;
    this.offerSender = offerSender;
    this.offersTaken = offersTaken;
    this.inbox = inbox;
    this.time = time;
    this.io = io;
    this.seated = seated;
    this.otherTls = new OtherTls(time::monotonicNanos);
  }

  // ---- offers

  /**
   * A rank was offered; to be called before the machine is told.
   *
   * @return false: it is for others, and the machine is to hear nothing of it
   * @throws IllegalArgumentException if its address is none; then nothing is kept of it
   */
  boolean offered(String handle, RankOffer offer) {
    ManagerPort manager = managers.of(offer, secrets.own(offer.gang()));
    if (!managers.speaksWith(offer)) {
      otherTls.refuse(offer);
      io.execute(() -> offersTaken.visibility(handle, OtherTls.HIDDEN_MILLIS));
      return false;
    }
    if (!handle.startsWith(HERE) && avoids(offer.job())) {
      io.execute(() -> offersTaken.visibility(handle, OtherTls.HIDDEN_MILLIS));
      return false;
    }
    synchronized (this) {
      served
          .computeIfAbsent(
              offer.gang(),
              gang -> {
                secrets.serve(gang, offer.fingerprint());
                return new Served(manager, new ConcurrentHashMap<>());
              })
          .tickets()
          .put(offer.rank(), offer.secret());
      offers.put(handle, offer);
    }
    return true;
  }

  /** Whether this worker takes no ranks of the job now, as it could not start them. */
  boolean avoids(String job) {
    return runs.avoids(job);
  }

  /** Its own manager offers it a rank, without a message: what the machine is to be told. */
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

  /** Shows offers to others at once. */
  void putBack(List<String> handles) {
    for (String handle : handles) {
      RankOffer offer = gone(handle);
      if (!handle.startsWith(HERE)) {
        io.execute(() -> offersTaken.visibility(handle, 0));
      } else if (offer != null) {
        // The slots went to something else meanwhile: whoever has some takes it.
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

  /** None of its ranks is here any more. */
  void forget(String gang) {
    runs.forget(gang);
    letGo(gang);
  }

  /** Unless there are new offers, or it has ranks here again. */
  private synchronized void letGo(String gang) {
    boolean offered = offers.values().stream().anyMatch(offer -> offer.gang().equals(gang));
    if (!offered && !seated.test(gang)) {
      served.remove(gang);
      secrets.leave(gang);
    }
  }

  /** Starts ranks, as their manager ordered. */
  void start(String id, StartRanks order) {
    if (served(id) != null) {
      secrets.peers(id, order.peers());
      runs.start(id, order);
    }
  }

  /** Asks a manager for ranks; returns at once. */
  void register(SubWorkerEffect.Register register) {
    io.execute(() -> inbox.tell(registered(register)));
  }

  private SubWorkerEvent registered(SubWorkerEffect.Register register) {
    Served gang = served(register.gang());
    Moment begun = time.now();
    if (gang != null) {
      try {
        Registration registration =
            new Registration(
                managers.worker(),
                managers.here().get(),
                register.ranks().stream().mapToInt(Integer::intValue).toArray(),
                register.ranks().stream()
                    .map(rank -> gang.tickets().getOrDefault(rank, ""))
                    .toArray(String[]::new),
                secrets.own(register.gang()));
        Welcome welcome =
            GangOrders.twice(() -> gang.manager().register(register.gang(), registration));
        return new SubWorkerEvent.Welcomed(
            register.gang(),
            register.ranks(),
            Arrays.stream(welcome.accepted()).boxed().toList(),
            welcome.leaseMillis(),
            begun);
      } catch (HpcCallException e) {
        LOG.info("ranks {} are not taken: {}", register.ranks(), e.getMessage());
      } catch (RuntimeException | Error e) {
        // Whatever it was: slots would be kept for an answer that never comes.
        LOG.error("ranks {} of gang {} cannot be asked for", register.ranks(), register.gang(), e);
      }
    }
    return new SubWorkerEvent.RegisterFailed(register.gang(), register.ranks());
  }

  /** Tells a manager how its ranks are; returns at once. */
  void beat(SubWorkerEffect.Beat beat) {
    io.execute(() -> inbox.tell(answer(beat)));
  }

  private SubWorkerEvent answer(SubWorkerEffect.Beat beat) {
    Served gang = served(beat.gang());
    Moment begun = time.now();
    try {
      List<GangEvent.Ended> told = runs.untold().reportable(beat.gang(), beat.ended());
      Standing standing = Standing.GONE;
      if (gang != null) {
        RankEnd[] ends = runs.untold().ends(beat.gang(), told).toArray(RankEnd[]::new);
        standing =
            gang.manager().report(beat.gang(), new Report(managers.worker(), ends, beat.leaving()));
      }
      runs.untold().told(beat.gang(), told);
      return new SubWorkerEvent.Answered(
          beat.gang(), standing.known(), standing.leaseMillis(), told.size(), begun);
    } catch (HpcCallException e) {
      LOG.debug("no answer to a beat: {}", e.getMessage());
      // Who refuses it knows nothing of the gang any more.
      return e.kind() == HpcCallException.Kind.REFUSED
          ? new SubWorkerEvent.Answered(beat.gang(), false, 0, 0, begun)
          : new SubWorkerEvent.BeatFailed(beat.gang());
    } catch (RuntimeException | Error e) {
      // Whatever it was: a beat that nobody answers would be the last.
      LOG.error("the manager of gang {} cannot be told how its ranks are", beat.gang(), e);
      return new SubWorkerEvent.BeatFailed(beat.gang());
    }
  }
}
