package io.cloudkon.worker.acknowledge;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BatchOutcome;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Deletes and hides messages, ten to a call. Repeats a failed deletion a few times; a message that
 * is not deleted is received again and finds its claim DONE.
 */
public final class Acknowledger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Acknowledger.class);
  private static final int TRIES = 8;

  /** Half of the receives after which a bundle without claims is given up. */
  private static final int RENEWED_FROM = AttemptSettings.DEFAULT.maxReceives() / 2;

  private final RequestQueue queue;
  private final Later later;
  private final BackOff backOff;
  private final NaturalBatcher<Deletion> deletions;
  private final VisibilityChanges visibilities;

  private record Deletion(String handle, int tries, Runnable deleted) {}

  public Acknowledger(RequestQueue queue, Later later, BackOff backOff) {
    this(queue, later, backOff, () -> 0);
  }

  /**
   * Starts its lanes.
   *
   * @param gatherMillis how long deletions may wait for others now, in milliseconds
   */
  public Acknowledger(RequestQueue queue, Later later, BackOff backOff, LongSupplier gatherMillis) {
    this.queue = queue;
    this.later = later;
    this.backOff = backOff;
    this.deletions =
        new NaturalBatcher<>(
            "cloudkon-delete",
            1,
            Limits.BATCH,
            Limits.BATCH,
            Integer.MAX_VALUE,
            d -> 1,
            this::delete,
            gatherMillis);
    this.visibilities = new VisibilityChanges(queue, later, backOff, VisibilityChanges.END);
  }

  /**
   * Deletes a message; returns at once.
   *
   * @param deleted is called when the message is deleted, or after the last try
   */
  public void delete(String handle, Runnable deleted) {
    add(new Deletion(handle, 1, deleted));
  }

  /** Asks again how long deletions may wait for others. */
  public void gatherAnew() {
    deletions.gatherAnew();
  }

  private void add(Deletion deletion) {
    try {
      deletions.add(deletion);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the worker has ended. The message is received again and finds its claim DONE.
      return;
    }
  }

  private void delete(List<Deletion> batch) {
    BatchOutcome<Deletion> outcome;
    boolean refused = false;
    try {
      outcome = BatchOutcome.of(batch, queue.delete(batch.stream().map(Deletion::handle).toList()));
    } catch (RuntimeException | Error e) {
      // Catches everything: a deletion without an answer would hold its bundle for ever.
      outcome = BatchOutcome.allFailed(batch, e);
      refused = e instanceof RefusedException;
    }
    Level level = refused ? Level.DEBUG : Level.WARN;
    outcome.tell(
        deletion -> deletion.deleted().run(), (deletion, why) -> notDeleted(deletion, why, level));
  }

  /**
   * Repeats a failed deletion, or gives up. A refusal is in the log of refusals already, once for
   * any number of messages.
   */
  private void notDeleted(Deletion deletion, BatchFailure why, Level level) {
    if (deletion.tries() >= TRIES) {
      LOG.atLevel(level)
          .log("a message was not deleted and will be received again: {}", why.reason());
      deletion.deleted().run();
    } else {
      Deletion again = new Deletion(deletion.handle(), deletion.tries() + 1, deletion.deleted());
      later.after(backOff.millis(deletion.tries()), () -> add(again));
    }
  }

  /**
   * Puts the message of a bundle back that was not begun, hidden for that time; blocks. SQS counts
   * its receives, and in at-least-once nothing else shows how often its workers died. So that
   * put-backs do not add up to that, a message with half of the receives that are allowed is
   * replaced by a new one, which is visible at once. If this worker dies in between, both stay,
   * which at-least-once allows.
   */
  public void putBackUnbegun(BundleInHand inHand, long millis) {
    boolean counted = !inHand.header().consistency().claims();
    if (counted && inHand.receives() >= RENEWED_FROM && sentAnew(inHand)) {
      delete(inHand.handle(), () -> {});
    } else {
      hide(inHand.handle(), millis).run();
    }
  }

  private boolean sentAnew(BundleInHand inHand) {
    try {
      return queue.send(List.of(BundleMessages.of(inHand.bundle()))).isEmpty();
    } catch (RuntimeException | Error e) {
      LOG.debug("could not send bundle {} anew: {}", inHand.header().bundle(), e.toString());
      return false;
    }
  }

  /**
   * Keeps a message of this worker hidden for that time from now, rounded up to a second; returns
   * at once. Changes of one message are made in the order of the calls.
   */
  public void extend(String handle, long millis) {
    visibilities.extend(handle, millis);
  }

  /**
   * Puts a message back, hidden for that time from now, rounded up to a second; returns at once.
   * Changes of one message are made in the order of the calls. After failures, the message only
   * becomes visible later than intended.
   *
   * @return blocks until the change was made, or is given up
   */
  public Runnable hide(String handle, long millis) {
    return visibilities.putBack(handle, millis)::await;
  }

  /**
   * Deletes the messages that wait for it, puts back those that are to be for at most 2 s, and
   * ends.
   */
  @Override
  public void close() throws InterruptedException {
    deletions.close();
    visibilities.close();
  }
}
