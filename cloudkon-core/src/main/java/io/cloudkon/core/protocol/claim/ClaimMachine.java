package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect.Durable;
import io.cloudkon.core.protocol.claim.ClaimEffect.Ended;
import io.cloudkon.core.protocol.claim.ClaimEffect.Granted;
import io.cloudkon.core.protocol.claim.ClaimEffect.GrantedLosing;
import io.cloudkon.core.protocol.claim.ClaimEffect.Lost;
import io.cloudkon.core.protocol.claim.ClaimEffect.Released;
import io.cloudkon.core.protocol.claim.ClaimEffect.SawDone;
import io.cloudkon.core.protocol.claim.ClaimEffect.SawOther;
import io.cloudkon.core.protocol.claim.ClaimPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One worker's side of one claim (section 3 of the protocol): acquires it, keeps it, writes to it,
 * gives it up. At most one write is under way; whatever is wanted meanwhile joins the next one. A
 * write that failed is written anew with a higher seq and everything that the failed one carried,
 * so that it does not matter whether the first took effect. Pure; used by one thread at a time.
 */
public final class ClaimMachine {
  private final String bundle;
  private final Consistency consistency;
  private final LeaseSettings settings;
  private final String owner;
  private final String nonce;

  private ClaimPhase phase = ClaimPhase.TABLE.start();
  private final List<ClaimEffect> effects = new ArrayList<>();

  /** When this nonce's first acquisition to run was sent: a lost answer may be that one's. */
  private @Nullable Moment firstSent;

  /** The same for the acquisitions to settle only. */
  private @Nullable Moment succeedingSince;

  private Moment callSent = new Moment(0, 0);
  private Moment leaseEnd = new Moment(0, 0);
  private Moment renewAt = new Moment(0, 0);
  private @Nullable ClaimWrite inFlight;
  private long seq;

  /** The attempt that the acquisition under way expects to succeed; 0 if none. */
  private int seenAttempt;

  /** What is known to stand in the item. */
  private @Nullable Claim durable;

  private Positions starts = Positions.none();
  private Positions done = Positions.none();
  private SortedMap<Integer, Child> children = new TreeMap<>();
  private boolean urgent;

  /** A claim not yet asked for. */
  public ClaimMachine(
      String bundle, Consistency consistency, LeaseSettings settings, String owner, String nonce) {
    this.bundle = bundle;
    this.consistency = consistency;
    this.settings = settings;
    this.owner = owner;
    this.nonce = nonce;
  }

  // ---- events

  /**
   * Asks for the claim; asked again after {@link #acquireFailed}.
   *
   * @param firstStarts at-most-once: what is to be recorded as started at once; else empty
   */
  public List<ClaimEffect> acquire(Positions firstStarts, Moment now) {
    if (phase == ClaimPhase.UNCLAIMED) {
      move(Trigger.ACQUIRE);
      starts = firstStarts;
      firstSent = now;
    }
    sendAcquisition(modeForFirst(), 0, now);
    return take();
  }

  /** The acquisition failed in passing: ask again. */
  public List<ClaimEffect> acquireFailed(Moment now) {
    if (phase == ClaimPhase.ACQUIRING) {
      sendAcquisition(modeForFirst(), 0, now);
    } else if (phase == ClaimPhase.SUCCEEDING) {
      // Who holds it now is unknown: begin with a look at it, which a refused acquisition is.
      sendAcquisition(Acquisition.Mode.LOSING, seenAttempt, now);
    }
    return take();
  }

  /** The acquisition was accepted. */
  public List<ClaimEffect> acquired(Claim claim, Moment now) {
    adopt(claim, callSent.plus(settings.lease()), now);
    return take();
  }

  /** The acquisition was refused; shows how the claim stands. */
  public List<ClaimEffect> acquireRefused(@Nullable Claim current, Moment now) {
    if (current == null) {
      // Only LOSING is refused where there is no item: it was removed meanwhile.
      move(Trigger.SAW_OTHER);
      effects.add(new SawOther(now.service()));
    } else if (current.nonce().equals(nonce) && current.state() != ClaimState.DONE) {
      // My own success, its answer lost. The first of several tries may be the one that took
      // effect.
      Moment losing = current.state() == ClaimState.LOSING ? succeedingSince : null;
      Moment first = losing == null ? firstSent : losing;
      adopt(current, java.util.Objects.requireNonNull(first).plus(settings.lease()), now);
    } else if (current.state() == ClaimState.DONE) {
      move(Trigger.SAW_DONE);
      effects.add(new SawDone());
    } else if (mayStillTake(current, now)) {
      if (current.state() == ClaimState.RELEASED || consistency == Consistency.EXACTLY_ONCE) {
        sendAcquisition(modeForFirst(), 0, now);
      } else {
        if (phase == ClaimPhase.ACQUIRING) {
          move(Trigger.SAW_EXPIRED);
        }
        succeedingSince = now;
        sendAcquisition(Acquisition.Mode.LOSING, current.attempt(), now);
      }
    } else {
      move(Trigger.SAW_OTHER);
      effects.add(new SawOther(current.leaseEnd() + settings.margin()));
    }
    return take();
  }

  /** An owner's write was accepted. */
  public List<ClaimEffect> written(long writtenSeq, Moment now) {
    ClaimWrite write = inFlight;
    if (write == null || write.seq() != writtenSeq) {
      return take();
    }
    inFlight = null;
    durable = after(write);
    switch (phase) {
      case ENDING -> {
        if (write.state() == ClaimState.DONE) {
          move(Trigger.ENDED);
          effects.add(new Ended());
        }
      }
      case RELEASING -> {
        if (write.state() == ClaimState.RELEASED) {
          move(Trigger.RELEASED);
          effects.add(new Released());
        }
      }
      case CONFIRMING -> {
        leaseEnd = callSent.plus(settings.lease());
        move(Trigger.CONFIRMED);
        effects.add(new Granted(durable));
      }
      case LEASED, LOSING -> {
        leaseEnd = callSent.plus(settings.lease());
        effects.add(new Durable());
      }
      case UNCLAIMED, ACQUIRING, SUCCEEDING, DONE, RELEASED, REFUSED, LOST -> {}
    }
    pump(now);
    return take();
  }

  /** An owner's write was refused; shows how the claim stands. */
  public List<ClaimEffect> writeRefused(long refusedSeq, @Nullable Claim current, Moment now) {
    ClaimWrite write = inFlight;
    if (write == null || write.seq() != refusedSeq) {
      return take();
    }
    if (current != null && isMine(write, current)) {
      return written(refusedSeq, now);
    }
    lose(Trigger.FENCED);
    return take();
  }

  /**
   * Whether the claim shows this write, or an earlier one of mine that gave it up already: its
   * answer was lost.
   */
  private boolean isMine(ClaimWrite write, Claim current) {
    boolean sameOwner = current.nonce().equals(nonce) && current.attempt() == write.attempt();
    boolean given = leaves(write) && current.state() == write.state();
    return sameOwner && (current.seq() == write.seq() || given);
  }

  /** An owner's write failed in passing; it may or may not have taken effect. */
  public List<ClaimEffect> writeFailed(long failedSeq, Moment now) {
    if (inFlight != null && inFlight.seq() == failedSeq) {
      inFlight = null;
      urgent = true;
      checkLease(now);
      pump(now);
    }
    return take();
  }

  /** Time went by: renews, and notices a lease that is over. */
  public List<ClaimEffect> tick(Moment now) {
    checkLease(now);
    pump(now);
    return take();
  }

  /** Records starts; durable by a {@link Durable} after which {@link #startsRecorded} has them. */
  public List<ClaimEffect> start(Positions more, Moment now) {
    starts = starts.plus(more);
    return soon(now);
  }

  /** Takes back recorded starts of tasks that did not start. Travels with the next write. */
  public void unstart(Positions notStarted) {
    starts = starts.minus(notStarted);
  }

  /** Records tasks whose final result was accepted. Travels with the next write. */
  public void record(Positions accepted) {
    done = done.plus(accepted);
  }

  /**
   * Hands tasks to a new child; it may be sent when a {@link Durable} shows it in {@link
   * #childrenRecorded}.
   */
  public List<ClaimEffect> handOn(Positions tasks, Moment now) {
    int k = children.isEmpty() ? 1 : children.lastKey() + 1;
    children.put(k, new Child(tasks, false));
    return soon(now);
  }

  /** A child was sent. Travels with the next write. */
  public void childSent(int k) {
    Child child = children.get(k);
    if (child != null) {
      children.put(k, new Child(child.tasks(), true));
    }
  }

  /** Everything is recorded or handed on. */
  public List<ClaimEffect> end(Moment now) {
    move(Trigger.END);
    return soon(now);
  }

  /** Gives it back. */
  public List<ClaimEffect> release(Moment now) {
    move(Trigger.RELEASE);
    return soon(now);
  }

  // ---- what is known

  public ClaimPhase phase() {
    return phase;
  }

  /** Whether the owner may start, run and send: it holds the lease, and not only just. */
  public boolean valid(Moment now) {
    return (phase == ClaimPhase.LEASED || phase == ClaimPhase.LOSING) && !leaseOver(now);
  }

  /** The fencing token; 0 before the claim is mine. */
  public int attempt() {
    return durable == null ? 0 : durable.attempt();
  }

  /** Starts that are durable. */
  public Positions startsRecorded() {
    return durable == null ? Positions.none() : durable.started();
  }

  /** Children that are durable, with what is known of their sending. */
  public SortedMap<Integer, Child> childrenRecorded() {
    SortedMap<Integer, Child> recorded = new TreeMap<>();
    if (durable != null) {
      durable
          .children()
          .keySet()
          .forEach(k -> recorded.put(k, children.getOrDefault(k, durable.children().get(k))));
    }
    return recorded;
  }

  /** Whether every child, recorded or about to be, is known to have been sent. */
  public boolean allChildrenSent() {
    return children.values().stream().allMatch(Child::sent);
  }

  // ---- inside

  private Acquisition.Mode modeForFirst() {
    return consistency == Consistency.AT_MOST_ONCE
        ? Acquisition.Mode.FRESH
        : Acquisition.Mode.TAKE_OVER;
  }

  private void sendAcquisition(Acquisition.Mode mode, int expectedAttempt, Moment now) {
    callSent = now;
    seenAttempt = expectedAttempt;
    effects.add(
        new ClaimEffect.Acquire(
            new Acquisition(
                bundle,
                mode,
                owner,
                nonce,
                now.service() + settings.lease(),
                now.service() - settings.margin(),
                expectedAttempt,
                mode == Acquisition.Mode.LOSING ? Positions.none() : starts,
                ttl(now))));
  }

  private boolean mayStillTake(Claim current, Moment now) {
    return current.state() == ClaimState.RELEASED
        || current.leaseEnd() < now.service() - settings.margin();
  }

  private void adopt(Claim claim, Moment end, Moment now) {
    durable = claim;
    seq = claim.seq();
    starts = claim.started();
    done = claim.done();
    children = new TreeMap<>(claim.children());
    leaseEnd = new Moment(end.mono(), Math.min(end.service(), claim.leaseEnd()));
    renewAt =
        new Moment(
            callSent.mono() + settings.heartbeat(), callSent.service() + settings.heartbeat());
    if (claim.state() == ClaimState.LOSING) {
      if (phase == ClaimPhase.ACQUIRING) {
        move(Trigger.SAW_EXPIRED);
      }
      move(Trigger.GRANTED_LOSING);
      effects.add(new GrantedLosing(claim));
    } else if (leaseOver(now)) {
      move(Trigger.GRANTED_LATE);
      urgent = true;
      pump(now);
    } else {
      move(Trigger.GRANTED);
      effects.add(new Granted(claim));
    }
  }

  private boolean leaseOver(Moment now) {
    return now.eitherPast(leaseEnd.plus(-settings.margin()));
  }

  /**
   * An owner past its lease does nothing more. ENDING and RELEASING go on: nothing runs any more,
   * their results are accepted, and the write is refused if somebody else has taken over.
   */
  private void checkLease(Moment now) {
    if ((phase == ClaimPhase.LEASED || phase == ClaimPhase.LOSING) && leaseOver(now)) {
      lose(Trigger.LEASE_OVER);
    }
  }

  private void lose(Trigger why) {
    inFlight = null;
    move(why);
    effects.add(new Lost());
  }

  private List<ClaimEffect> soon(Moment now) {
    urgent = true;
    pump(now);
    return take();
  }

  private void pump(Moment now) {
    boolean owner =
        switch (phase) {
          case LEASED, LOSING, CONFIRMING, ENDING, RELEASING -> true;
          case UNCLAIMED, ACQUIRING, SUCCEEDING, DONE, RELEASED, REFUSED, LOST -> false;
        };
    if (!owner || inFlight != null || !(urgent || now.eitherPast(renewAt))) {
      return;
    }
    urgent = false;
    callSent = now;
    renewAt = now.plus(settings.heartbeat());
    seq++;
    Claim item = java.util.Objects.requireNonNull(durable);
    ClaimState target =
        switch (phase) {
          case ENDING -> ClaimState.DONE;
          case RELEASING -> ClaimState.RELEASED;
          case LEASED,
              CONFIRMING,
              LOSING,
              UNCLAIMED,
              ACQUIRING,
              SUCCEEDING,
              DONE,
              RELEASED,
              REFUSED,
              LOST ->
              item.state();
        };
    inFlight =
        new ClaimWrite(
            bundle,
            item.attempt(),
            nonce,
            seq,
            item.state(),
            target,
            now.service() + settings.lease(),
            item.releases() + (target == ClaimState.RELEASED ? 1 : 0),
            starts,
            done,
            children,
            ttl(now));
    effects.add(new ClaimEffect.Write(inFlight));
  }

  private static boolean leaves(ClaimWrite write) {
    return write.state() == ClaimState.DONE || write.state() == ClaimState.RELEASED;
  }

  private Claim after(ClaimWrite write) {
    return new Claim(
        bundle,
        write.state(),
        owner,
        nonce,
        write.attempt(),
        write.seq(),
        write.releases(),
        write.leaseEnd(),
        write.started(),
        write.done(),
        write.children(),
        write.ttl());
  }

  private static long ttl(Moment now) {
    return now.service() / 1000 + Claim.KEPT_SECONDS;
  }

  private void move(Trigger trigger) {
    phase = ClaimPhase.TABLE.next(phase, trigger);
  }

  private List<ClaimEffect> take() {
    List<ClaimEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }
}
