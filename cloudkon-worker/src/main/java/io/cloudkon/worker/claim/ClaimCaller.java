package io.cloudkon.worker.claim;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the claim store and reports the answers to the bundle's state machine. Reports a failed
 * call after a back-off; the state machine decides whether to try again, and with what.
 */
public final class ClaimCaller {
  /** How long a bundle stays hidden if this worker may not request its claim. */
  private static final long REFUSED_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(ClaimCaller.class);

  private final ClaimStore store;
  private final String worker;
  private final TimeSource time;
  private final Inbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final Executor io;
  private final LostAttempts lost;

  /**
   * Calls the store for this worker.
   *
   * @param worker the worker's id
   * @param io runs blocking calls
   */
  public ClaimCaller(
      ClaimStore store,
      String worker,
      TimeSource time,
      Inbox inbox,
      Later later,
      BackOff backOff,
      Executor io) {
    this.store = store;
    this.worker = worker;
    this.time = time;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.io = io;
    this.lost = new LostAttempts(store, later, backOff, io);
  }

  /**
   * Makes the call; returns at once. If it takes back an attempt, {@link #settled} is false from
   * then on, so that the worker does not end before that is done.
   */
  public void call(BundleInHand inHand, ClaimEffect.Call call) {
    switch (call) {
      case ClaimEffect.Acquire acquire -> io.execute(() -> acquire(inHand, acquire.acquisition()));
      case ClaimEffect.Write write -> io.execute(() -> write(inHand, write.write()));
      case ClaimEffect.Survive survive -> lost.takeBack(survive);
    }
  }

  /** Whether the store has taken back every attempt that was lost here. Any thread may call it. */
  public boolean settled() {
    return lost.none();
  }

  private void acquire(BundleInHand inHand, Acquisition acquisition) {
    long begun = time.wallMicros();
    String claim = acquisition.id();
    inHand.claimBegun(claim, begun);
    try {
      lost.takeBackThoseOf(claim);
      ClaimAnswer answer = store.acquire(acquisition);
      long answered = time.wallMicros();
      inHand.claimAnswered();
      Claim granted = granted(answer, acquisition);
      if (granted != null) {
        inHand.claimed(claim, answered, granted.attempt());
      }
      inbox.post(new WorkerEvent.ClaimTook(answered - begun));
      inbox.post(inHand.key(), new BundleEvent.AcquireAnswered(claim, answer));
    } catch (RefusedException e) {
      failed(inHand, "claim", e, new BundleEvent.AcquireRefused(claim, REFUSED_MILLIS));
    } catch (RuntimeException | Error e) {
      failed(inHand, "claim", e, new BundleEvent.AcquireFailed(claim));
    }
  }

  /**
   * The claim that this owner holds, by this answer or by one that was lost; null if it has none.
   */
  private static @Nullable Claim granted(ClaimAnswer answer, Acquisition acquisition) {
    return switch (answer) {
      case ClaimAnswer.Accepted accepted -> accepted.claim();
      case ClaimAnswer.Refused refused -> {
        Claim current = refused.current();
        yield current != null && current.acquiredBy(acquisition.nonce()) ? current : null;
      }
    };
  }

  private void write(BundleInHand inHand, ClaimWrite write) {
    try {
      ClaimAnswer answer = store.write(write);
      inHand.claimAnswered();
      inbox.post(inHand.key(), new BundleEvent.WriteAnswered(write.id(), write.seq(), answer));
    } catch (RuntimeException | Error e) {
      boolean refused = e instanceof RefusedException;
      failed(
          inHand,
          "write to the claim of",
          e,
          new BundleEvent.WriteFailed(write.id(), write.seq(), refused));
    }
  }

  /** Records that this worker is sick, and gives the bundle back; blocks until that is answered. */
  public void noteSick(BundleInHand inHand, String claim) {
    try {
      int workers = store.noteSick(claim, worker, Claim.ttl(time.now()));
      inHand.claimAnswered();
      inbox.post(inHand.key(), new BundleEvent.SickNoted(claim, workers));
    } catch (RuntimeException | Error e) {
      failed(inHand, "note the release of", e, new BundleEvent.SickNoteFailed(claim));
    }
  }

  /**
   * Reports the failure of a call, whatever its reason: a call without an answer would hold the
   * bundle for ever.
   */
  private void failed(BundleInHand inHand, String what, Throwable e, BundleEvent event) {
    int failures = inHand.claimFailed();
    if (e instanceof TransientServiceException || e instanceof RefusedException) {
      LOG.debug("could not {} bundle {}: {}", what, inHand.header().bundle(), e.getMessage());
    } else {
      LOG.warn("could not {} bundle {}, trying again", what, inHand.header().bundle(), e);
    }
    later.after(backOff.millis(failures), () -> inbox.post(inHand.key(), event));
  }
}
