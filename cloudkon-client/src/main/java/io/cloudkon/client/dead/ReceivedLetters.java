package io.cloudkon.client.dead;

import io.cloudkon.core.error.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receives and holds the letters of a redrive. Of all letters it receives no more than one redrive
 * takes; to find those with given ids it has to look through all. Used by one thread.
 */
final class ReceivedLetters {
  /**
   * The limit on the size of the letters taken, which are in memory until their tasks are written.
   */
  private static final long MOST_BYTES = 256L * 1024 * 1024;

  private final DeadLetterBox box;
  private final HeldLetters held;
  private final LetterSelection selection;
  private final int most;
  private final List<DeadLetter> chosen = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final List<String> others = new ArrayList<>();
  private long bytes;
  private int left;

  /**
   * Has received none yet.
   *
   * @param held holds the chosen letters
   * @param most the maximum number of letters
   */
  ReceivedLetters(DeadLetterBox box, HeldLetters held, LetterSelection selection, int most) {
    this.box = box;
    this.held = held;
    this.selection = selection;
    this.most = most;
  }

  /**
   * The selected letters, oldest first, as many as fit; all others are put back.
   *
   * @throws UsageException if the queue is empty, or an id belongs to no letter or to several
   * @throws LettersInUseException if another program may be reading letters that were not found
   */
  List<DeadLetter> receive(LetterReading reading) throws InterruptedException {
    long size = box.size().orElse(0);
    Duration hidden = selection.isOfAll() ? HeldLetters.HIDDEN : lookedThrough(size);
    long end = box.end(hidden);
    try {
      box.receiveAll(reading, hidden, this::accept);
    } finally {
      box.putBack(others, end);
    }
    if (isFull()) {
      left = (int) Math.max(left, box.size().orElse(0) - held.messages());
    } else {
      checkFound(others.size() + held.messages(), size);
    }
    chosen.sort(Comparator.comparingLong(DeadLetter::sentMillis).thenComparing(DeadLetter::id));
    return chosen;
  }

  private boolean accept(@Nullable DeadLetter letter, String id, String handle) {
    if (letter != null && selection.takes(letter)) {
      if (fits()) {
        bytes += letter.bytes();
        chosen.add(letter);
        ids.add(id);
      } else {
        left++;
      }
    }
    if (ids.contains(id)) {
      held.hold(id, handle);
    } else {
      others.add(handle);
    }
    return !isFull();
  }

  private boolean fits() {
    return bytes < MOST_BYTES && chosen.size() < most;
  }

  /** Whether no further letter is of use. */
  private boolean isFull() {
    return selection.isOfAll() && !fits();
  }

  /** The time for which letters are hidden while all of so many are compared with given ids. */
  private static Duration lookedThrough(long size) {
    Duration look = DeadLetterBox.look(size);
    return look.compareTo(HeldLetters.HIDDEN) > 0 ? look : HeldLetters.HIDDEN;
  }

  /** Says that letters were not found only if all have been read. */
  private void checkFound(int read, long size) {
    if (read == 0 || !selection.isFound()) {
      box.checkAllRead(read, size);
    }
    if (read == 0) {
      throw new UsageException(
          "queue %s holds no dead letter: there is nothing to redrive".formatted(box.queueName()));
    }
    selection.check(box.queueName());
  }

  /** About how many selected letters do not fit. */
  int left() {
    return left;
  }
}
