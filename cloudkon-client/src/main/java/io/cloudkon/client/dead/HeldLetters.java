package io.cloudkon.client.dead;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.RequestQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters that nobody else is to take for a while: hidden anew from time to time by a thread of its
 * own, until each is deleted or put back. After a crash they come back within {@link #HIDDEN}.
 * Thread safe.
 */
final class HeldLetters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLetters.class);

  /** How long a letter stays hidden when nobody renews it. */
  static final Duration HIDDEN = Duration.ofMinutes(2);

  private static final long RENEWAL_SECONDS = 30;

  private final RequestQueue queue;
  private final Map<String, List<String>> handles = new HashMap<>();
  private final Set<String> finished = new HashSet<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Holds nothing yet. */
  HeldLetters(RequestQueue queue) {
    this.queue = queue;
    this.thread = Thread.ofVirtual().name("cloudkon-dead-letters").start(this::keep);
  }

  /** One more message of a letter, just received. */
  synchronized void hold(String letter, String handle) {
    handles.computeIfAbsent(letter, l -> new ArrayList<>(1)).add(handle);
  }

  /** Shows a letter to others again. */
  void release(String letter) {
    List<String> released;
    synchronized (this) {
      released = handles.remove(letter);
    }
    if (released != null) {
      hide(released, Duration.ZERO);
    }
  }

  /** The letter is done with. If it cannot be deleted now, that is tried again until the end. */
  void delete(String letter) {
    synchronized (this) {
      finished.add(letter);
    }
    deleteFinished();
  }

  private void keep() {
    try {
      while (!closed.await(RENEWAL_SECONDS, TimeUnit.SECONDS)) {
        deleteFinished();
        hide(left(), HIDDEN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
      // Its tasks are on their way: that the letter stays costs a second run of them at worst.
      LOG.debug("a dead letter was not deleted yet: {}", e.getMessage());
    }
  }

  private synchronized List<String> left() {
    return handles.values().stream().flatMap(List::stream).toList();
  }

  private void hide(List<String> messages, Duration visibility) {
    for (String handle : messages) {
      try {
        queue.changeVisibility(handle, visibility);
      } catch (CloudKonException e) {
        LOG.debug("a dead letter keeps its visibility: {}", e.getMessage());
      }
    }
  }

  /** Deletes what is done with, puts the rest back. */
  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    thread.join();
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
