package io.cloudkon.client.dead;

import io.cloudkon.core.error.CloudKonException;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the letters in a dead-letter queue. A queue cannot be browsed, only received from: received
 * messages are put back when all have been seen, also on Ctrl-C; after a crash they reappear within
 * half a minute, or, of many thousands, within the time that reading all of them takes. Meanwhile,
 * other readers see only the rest. Stateless and thread safe.
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

  /** The share of the letters that counts as all of them, because their number is approximate. */
  private static final double ALL = 0.9;

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
   *
   * @return the number of messages read: letters and copies of them
   * @throws InterruptedException if interrupted, or if the process is to end
   */
  public long browse(Consumer<DeadLetter> to) throws InterruptedException {
    return browse(size().orElse(0), to);
  }

  /**
   * Like {@link #browse(Consumer)}.
   *
   * @param size about how many letters there are: {@link #size}
   */
  public long browse(long size, Consumer<DeadLetter> to) throws InterruptedException {
    try (LetterReading reading = LetterReading.begin()) {
      return browse(reading, size, Integer.MAX_VALUE, to);
    }
  }

  /**
   * Like {@link #browse(Consumer)}, of a limited number of letters.
   *
   * @param most the number of messages after which no more are received; up to nine more are read
   */
  public long browseSome(int most, Consumer<DeadLetter> to) throws InterruptedException {
    try (LetterReading reading = LetterReading.begin()) {
      return browse(reading, most, most, to);
    }
  }

  long browse(LetterReading reading, long size, int most, Consumer<DeadLetter> to)
      throws InterruptedException {
    List<String> handles = new ArrayList<>();
    Duration look = look(size);
    long begun = time.monotonicNanos();
    try {
      receiveAll(
          reading,
          look,
          (letter, id, handle) -> {
            handles.add(handle);
            if (letter != null) {
              to.accept(letter);
            }
            return handles.size() < most;
          });
    } finally {
      putBack(handles, begun + look.toNanos());
    }
    return handles.size();
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

  /** The name of the queue. */
  String queueName() {
    return queue.name();
  }

  /**
   * Whether so many messages are all that there are, as far as can be told.
   *
   * @param size about how many letters there are: {@link #size}
   */
  public static boolean isAll(long read, long size) {
    return read >= ALL * size;
  }

  /**
   * Checks that all letters were seen, before one is said not to exist. Because their number is
   * approximate, it is asked for again: only if both numbers are above what was read, some were not
   * seen.
   *
   * @param read the number of messages read
   * @param size about how many letters there were before
   * @throws LettersInUseException if others may be reading some
   */
  void checkAllRead(long read, long size) {
    long unread = read < size ? Math.min(size, size().orElse(0)) - read : 0;
    if (unread > 0) {
      throw new LettersInUseException(queue.name(), unread);
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
   * @throws LettersInUseException if there is none among those read, which may not be all
   */
  public DeadLetter find(String id) throws InterruptedException {
    List<DeadLetter> found = new ArrayList<>();
    long size = size().orElse(0);
    long read =
        browse(
            size,
            letter -> {
              if (letter.id().startsWith(id)) {
                found.add(letter);
              }
            });
    if (found.size() > 1) {
      throw ambiguous(id);
    }
    if (found.isEmpty()) {
      checkAllRead(read, size);
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
     * @return whether to receive more, once the messages of this receive are handled
     */
    boolean accept(@Nullable DeadLetter letter, String id, String handle);
  }

  /**
   * Receives until nothing new comes, or no more is wanted.
   *
   * @throws InterruptedException if interrupted, or if the process is to end
   */
  void receiveAll(LetterReading reading, Duration visibility, Received to)
      throws InterruptedException {
    Set<String> seen = new HashSet<>();
    int old = 0;
    boolean more = true;
    while (more && old < ROUNDS_WITHOUT_NEWS) {
      reading.check();
      List<ReceivedMessage> messages = queue.receive(Limits.BATCH, wait, visibility);
      if (messages.isEmpty()) {
        return;
      }
      old++;
      for (ReceivedMessage message : messages) {
        DeadLetter letter = DeadLetter.of(message);
        boolean fresh = seen.add(letter.id());
        more &= to.accept(fresh ? letter : null, letter.id(), message.handle());
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
  void putBack(List<String> handles, long until) throws InterruptedException {
    List<CloudKonException> failed =
        LetterVisibility.change(
            queue, handles, Duration.ZERO, () -> time.monotonicNanos() - until > 0);
    Optional<CloudKonException> lasting =
        failed.stream().filter(TransientServiceException::isLasting).findFirst();
    if (lasting.isPresent()) {
      throw lasting.get();
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
