package io.cloudkon.worker.claim;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect.Survive;
import io.cloudkon.worker.pipeline.Later;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts that this worker lost while alive, in an outage or a freeze, until the claim store
 * has taken them back. They do not count as worker deaths. Tries again, with back-off, for as long
 * as the worker lives. Thread safe.
 */
final class LostAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(LostAttempts.class);

  private final ClaimStore store;
  private final Later later;
  private final BackOff backOff;
  private final Executor io;
  private final Set<Survive> open = ConcurrentHashMap.newKeySet();

  LostAttempts(ClaimStore store, Later later, BackOff backOff, Executor io) {
    this.store = store;
    this.later = later;
    this.backOff = backOff;
    this.io = io;
  }

  /** Whether the store has taken back all lost attempts. */
  boolean none() {
    return open.isEmpty();
  }

  /** Adds this attempt, and takes it back now or later. Returns at once. */
  void takeBack(Survive lost) {
    open.add(lost);
    again(lost, 1);
  }

  /**
   * Takes back the lost attempts of this claim, so that the next attempt is counted correctly;
   * blocks.
   *
   * @throws RuntimeException the store's exception; then the claim must not be requested yet
   */
  void takeBackThoseOf(String claim) {
    for (Survive lost : open) {
      if (lost.id().equals(claim)) {
        call(lost);
      }
    }
  }

  private void tryFor(Survive lost, int tries) {
    if (!open.contains(lost)) {
      return;
    }
    try {
      call(lost);
    } catch (RuntimeException | Error e) {
      // A refusal is logged once, where the call is made.
      if (e instanceof TransientServiceException || e instanceof RefusedException) {
        LOG.debug("could not take back {}: {}", lost, e.getMessage());
      } else {
        LOG.warn("could not take back {}, trying again", lost, e);
      }
      later.after(backOff.millis(tries), () -> again(lost, tries + 1));
    }
  }

  private void again(Survive lost, int tries) {
    try {
      io.execute(() -> tryFor(lost, tries));
    } catch (RejectedExecutionException e) {
      LOG.debug("the worker has ended, and left {}", lost);
    }
  }

  /** Takes an attempt back. A refusal is an answer, too: the claim is DONE or gone. */
  private void call(Survive lost) {
    ClaimAnswer unused = store.survive(lost.id(), lost.attempt());
    open.remove(lost);
  }
}
