package io.cloudkon.worker.claim;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.ClaimStore.Answer;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the claim store and tells the bundle's machine what came of it. A call that failed is
 * reported after a back-off; whether to try again, and with what, is for the machine to say.
 */
public final class ClaimCaller {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimCaller.class);

  private final ClaimStore store;
  private final TimeSource time;
  private final Inbox inbox;
  private final Later later;
  private final BackOff backOff;

  public ClaimCaller(ClaimStore store, TimeSource time, Inbox inbox, Later later, BackOff backOff) {
    this.store = store;
    this.time = time;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
  }

  /** Makes the call; blocks until it is answered. */
  public void call(BundleInHand inHand, ClaimEffect.Call call) {
    switch (call) {
      case ClaimEffect.Acquire acquire -> acquire(inHand, acquire.acquisition());
      case ClaimEffect.Write write -> write(inHand, write.write());
    }
  }

  private void acquire(BundleInHand inHand, Acquisition acquisition) {
    long begun = time.wallMicros();
    String claim = acquisition.id();
    inHand.claimBegun(claim, begun);
    try {
      Answer answer = store.acquire(acquisition);
      long answered = time.wallMicros();
      inHand.claimAnswered();
      int attempt =
          switch (answer) {
            case Answer.Accepted accepted -> accepted.claim().attempt();
            case Answer.Refused refused ->
                refused.current() == null ? 1 : refused.current().attempt();
          };
      inHand.claimed(claim, answered, attempt);
      inbox.post(new WorkerEvent.ClaimTook(answered - begun));
      inbox.post(inHand.key(), new BundleEvent.AcquireAnswered(claim, answer));
    } catch (RuntimeException | Error e) {
      failed(inHand, "claim", e, new BundleEvent.AcquireFailed(claim));
    }
  }

  private void write(BundleInHand inHand, ClaimWrite write) {
    try {
      Answer answer = store.write(write);
      inHand.claimAnswered();
      inbox.post(inHand.key(), new BundleEvent.WriteAnswered(write.id(), write.seq(), answer));
    } catch (RuntimeException | Error e) {
      failed(
          inHand, "write to the claim of", e, new BundleEvent.WriteFailed(write.id(), write.seq()));
    }
  }

  /** Whatever it was: a call that nobody answers would hold the bundle for ever. */
  private void failed(BundleInHand inHand, String what, Throwable e, BundleEvent event) {
    int failures = inHand.claimFailed();
    if (e instanceof TransientServiceException) {
      LOG.debug("could not {} bundle {}: {}", what, inHand.header().bundle(), e.getMessage());
    } else {
      LOG.warn("could not {} bundle {}, trying again", what, inHand.header().bundle(), e);
    }
    later.after(backOff.millis(failures), () -> inbox.post(inHand.key(), event));
  }
}
