package io.cloudkon.client.dead;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the letters in a dead-letter queue. A queue cannot be browsed, only received from: received
 * messages are put back when all have been seen; after a crash they reappear within half a minute,
 * or, of many thousands, within the time that reading all of them takes. Meanwhile, other readers
 * see only the rest. Stateless and thread safe.
 */
public final class DeadLetterBox {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterBox.class);

  /** The least time for which a letter is hidden from others while all are read. */
  private static final Duration LOOK = Duration.ofSeconds(30);

  /** The most: after a crash, letters reappear that late. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(15);

  /** A cautious number of letters that are read per second. */
  private static final long PER_SECOND = 100;

  /**
   * A queue counts as empty if nothing arrives in this time, because all of its servers were
   * queried then.
   */
  private static final Duration WAIT = Duration.ofSeconds(1);

  /** After this many receives without a new letter, the first letters have reappeared. */
  private static final int ROUNDS_WITHOUT_NEWS = 20;

  private final RequestQueue queue;
  private final TimeSource time;
  private final Duration wait;

  /** The letters of this queue. */
  public DeadLetterBox(RequestQueue queue, TimeSource time) {
    this(queue, time, WAIT);
  }

  /**
   * The letters of this queue, read with another wait.
   *
   * @param wait the time without a message after which the queue counts as empty; default 1 s
   */
  public DeadLetterBox(RequestQueue queue, TimeSource time, Duration wait) {
    this.queue = queue;
    this.time = time;
    this.wait = wait;
  }

  /**
   * Passes every letter on once, in no particular order; afterwards the queue holds all of them.
   */
  public void browse(Consumer<DeadLetter> to) throws InterruptedException {
    browse(size().orElse(0), to);
  }

  /**
   * Like {@link #browse(Consumer)}.
   *
   * @param size about how many letters there are: {@link #size}
   */
  public void browse(long size, Consumer<DeadLetter> to) throws InterruptedException {
    List<String> handles = new ArrayList<>();
    Duration look = look(size);
    long begun = time.monotonicNanos();
    try {
      receiveAll(
          look,
          (letter, id, handle) -> {
            handles.add(handle);
            if (letter != null) {
              to.accept(letter);
            }
          });
    } finally {
      putBack(handles, begun + look.toNanos());
    }
  }

  /**
   * About how many letters there are, those that others are reading included; empty if a policy
   * does not allow to ask.
   */
  public OptionalLong size() {
    try {
      QueueDepth depth = queue.depth();
      return OptionalLong.of(depth.waiting() + depth.inFlight());
    } catch (RefusedException e) {
      LOG.debug("the number of dead letters is unknown: {}", e.getMessage());
      return OptionalLong.empty();
    }
  }

  /** The time in which so many letters are read, so that the first do not reappear before that. */
  static Duration look(long letters) {
    Duration all = LOOK.plusSeconds(letters / PER_SECOND);
    return all.compareTo(LONGEST_LOOK) < 0 ? all : LONGEST_LOOK;
  }

  /**
   * The one letter whose id begins with this text.
   *
   * @throws UsageException if there is none, or more than one
   */
  public DeadLetter find(String id) throws InterruptedException {
    List<DeadLetter> found = new ArrayList<>();
    browse(letter -> {
      if (letter.id().startsWith(id)) {
        found.add(letter);
      }
    });
    if (found.size() > 1) {
      throw ambiguous(id);
    }
    return found.stream().findFirst().orElseThrow(() -> unknown(queue.name(), List.of(id)));
  }

  /** Receives messages. */
  interface Received {
    /**
     * Handles one message.
     *
     * @param letter null if the same letter was seen before
     * @param id the letter's id
     * @param handle the message's handle
     */
    void accept(@Nullable DeadLetter letter, String id, String handle);
  }

  /** Receives until nothing new comes. */
  void receiveAll(Duration visibility, Received to) throws InterruptedException {
    Set<String> seen = new HashSet<>();
    int old = 0;
    while (old < ROUNDS_WITHOUT_NEWS) {
      List<ReceivedMessage> messages = queue.receive(Limits.BATCH, wait, visibility);
      if (messages.isEmpty()) {
        return;
      }
      old++;
      for (ReceivedMessage message : messages) {
        DeadLetter letter = DeadLetter.of(message);
        boolean fresh = seen.add(letter.id());
        to.accept(fresh ? letter : null, letter.id(), message.handle());
        old = fresh ? 0 : old;
      }
    }
  }

  /**
   * The earliest time at which messages received from now on reappear by themselves; monotonic
   * clock.
   */
  long end(Duration visibility) {
    return time.monotonicNanos() + visibility.toNanos();
  }

  /**
   * Makes messages visible to others again.
   *
   * @param until when they reappear by themselves; monotonic clock
   */
  void putBack(List<String> handles, long until) {
    for (String handle : handles) {
      if (time.monotonicNanos() - until > 0) {
        return;
      }
      try {
        queue.changeVisibility(handle, Duration.ZERO);
      } catch (TransientServiceException e) {
        LOG.debug("a dead letter comes back by itself only: {}", e.getMessage());
      }
    }
  }

  static UsageException ambiguous(String id) {
    return new UsageException(
        "more than one dead letter has an id that begins with '%s'; give a longer part of it"
            .formatted(id));
  }

  static UsageException unknown(String queue, List<String> ids) {
    return new UsageException(
        "queue %s holds no dead letter '%s'; list them with: %s dead list -s %s"
            .formatted(
                queue,
                String.join("', '", ids),
                Launcher.name(),
                queue.replaceFirst("-dead$", "")));
  }
}
