package io.cloudkon.client.dead;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps letters hidden from other readers until each is deleted or put back; a separate thread
 * renews their visibility timeout. After a crash they reappear within {@link #HIDDEN}. Thread safe.
 */
final class HeldLetters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLetters.class);

  /** The time for which a letter stays hidden without a renewal. */
  static final Duration HIDDEN = Duration.ofMinutes(2);

  /**
   * The number of letters that are held at most, because they are in memory. Their renewal takes a
   * few seconds of {@link #HIDDEN}: {@link LetterVisibility#LANES} calls at a time, of ten letters
   * and some 50 ms each.
   */
  static final int MOST = 10_000;

  private static final Duration RENEWAL = Duration.ofSeconds(30);

  private final RequestQueue queue;
  private final Map<String, List<String>> handles = new HashMap<>();
  private final Set<String> finished = new HashSet<>();
  private final Watch watch;

  /** Holds nothing yet. */
  HeldLetters(RequestQueue queue) {
    this.queue = queue;
    this.watch = new Watch("cloudkon-dead-letters", RENEWAL, this::keep);
    watch.start();
  }

  /** Adds one more message of a letter, just received. */
  synchronized void hold(String letter, String handle) {
    handles.computeIfAbsent(letter, l -> new ArrayList<>(1)).add(handle);
  }

  /** The number of messages held; a letter may have several. */
  int messages() {
    return left().size();
  }

  /** Makes letters visible to others again. */
  void release(List<String> letters) throws InterruptedException {
    List<String> released = new ArrayList<>();
    synchronized (this) {
      letters.forEach(letter -> released.addAll(handles.getOrDefault(letter, List.of())));
      letters.forEach(handles::remove);
    }
    hide(released, Duration.ZERO);
  }

  /**
   * Deletes a letter that is done with. If that fails, it is retried at each renewal and by {@link
   * #close}.
   */
  void delete(String letter) {
    synchronized (this) {
      finished.add(letter);
    }
    tryDelete(letter);
  }

  private Optional<Duration> keep() throws InterruptedException {
    try {
      deleteFinished();
    } finally {
      // Even if a deletion fails unexpectedly, the letters must not reappear.
      hide(left(), HIDDEN);
    }
    return Optional.of(RENEWAL);
  }

  private void deleteFinished() {
    List<String> letters;
    synchronized (this) {
      letters = List.copyOf(finished);
    }
    letters.forEach(this::tryDelete);
  }

  private void tryDelete(String letter) {
    List<String> all;
    synchronized (this) {
      all = List.copyOf(handles.getOrDefault(letter, List.of()));
    }
    try {
      boolean deleted = true;
      for (int from = 0; from < all.size(); from += Limits.BATCH) {
        List<BatchFailure> failures =
            queue.delete(all.subList(from, Math.min(all.size(), from + Limits.BATCH)));
        deleted &= failures.stream().noneMatch(BatchFailure::retryable);
      }
      if (deleted) {
        synchronized (this) {
          handles.remove(letter);
          finished.remove(letter);
        }
      }
    } catch (CloudKonException e) {
      // Its tasks were sent: at worst, a letter that stays costs a second run of them.
      LOG.debug("a dead letter was not deleted yet: {}", e.getMessage());
    }
  }

  private synchronized List<String> left() {
    return handles.values().stream().flatMap(List::stream).toList();
  }

  /** A letter whose call fails reappears early; putting back goes on when the watch is stopped. */
  private void hide(List<String> messages, Duration visibility) throws InterruptedException {
    var unused =
        LetterVisibility.change(
            queue, messages, visibility, () -> !visibility.isZero() && watch.stopped());
  }

  /** Deletes the letters that are done with, and puts the rest back. */
  @Override
  public void close() throws InterruptedException {
    watch.stop();
    // Without an interrupt: a renewal still under way could end after the letters were put back.
    watch.join();
    deleteFinished();
    int undeleted;
    synchronized (this) {
      undeleted = finished.size();
    }
    if (undeleted > 0) {
      LOG.warn(
          "{} redriven dead letters could not be deleted from queue {}", undeleted, queue.name());
    }
    hide(left(), Duration.ZERO);
  }
}
