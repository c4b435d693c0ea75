package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.time.Moment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The workers that answered a client lately, or were listed. Pure; used by one thread at a time.
 * Its sums are kept, because {@link #slots} is asked for each bundle, and thousands of workers may
 * be there.
 */
final class AnsweringWorkers {
  /** A worker that was silent this long counts no more, in milliseconds. */
  static final long SILENT_MILLIS = 30_000;

  /** In the order in which they were heard of last. */
  private final Map<String, Worker> workers = new LinkedHashMap<>();

  /** How many workers have so many slots. */
  private final TreeMap<Integer, Integer> sizes = new TreeMap<>();

  private int all;
  private int answered;
  private boolean any;
  private boolean listed;
  private long last;

  private record Worker(int slots, long heard, boolean answered) {}

  /**
   * The slots of the workers that answered lately.
   *
   * @param all of them together, or that are listed; at least 1
   * @param answered of those that answered; at least 1
   * @param fewest of the worker that has fewest; at least 1
   * @param alone whether there is but one worker, as the list of all says
   */
  record Slots(int all, int answered, int fewest, boolean alone) {
    private static final Slots ONE = new Slots(1, 1, 1, false);
  }

  /** A worker with so many slots answered. */
  void heard(String worker, int slots, Moment now) {
    last = now.mono();
    put(worker, slots, true, now);
  }

  /** A worker with so many slots is listed. */
  void listed(String worker, int slots, Moment now) {
    if (!any) {
      last = now.mono();
    }
    Worker known = workers.get(worker);
    put(worker, slots, known != null && known.answered(), now);
    listed = true;
  }

  private void put(String name, int slots, boolean answered, Moment now) {
    Worker former = workers.remove(name);
    if (former != null) {
      count(former, -1);
    }
    Worker worker = new Worker(Math.max(1, slots), now.mono(), answered);
    workers.put(name, worker);
    count(worker, 1);
    any = true;
  }

  private void count(Worker worker, int sign) {
    all += sign * worker.slots();
    answered += worker.answered() ? sign * worker.slots() : 0;
    int others = sizes.getOrDefault(worker.slots(), 0);
    if (others + sign == 0) {
      sizes.remove(worker.slots());
    } else {
      sizes.put(worker.slots(), others + sign);
    }
  }

  /** Whether any ever did. */
  boolean any() {
    return any;
  }

  /** The time of the last answer or first listing; milliseconds of the monotonic clock. */
  long lastAnswer() {
    return last;
  }

  /** Their slots. */
  Slots slots(Moment now) {
    Iterator<Worker> oldest = workers.values().iterator();
    while (oldest.hasNext()) {
      Worker worker = oldest.next();
      if (now.mono() - worker.heard() <= SILENT_MILLIS) {
        break;
      }
      oldest.remove();
      count(worker, -1);
      // The list is too old to say who is alone.
      listed = false;
    }
    if (workers.isEmpty()) {
      return Slots.ONE;
    }
    int fewest = sizes.firstKey();
    return new Slots(all, Math.max(fewest, answered), fewest, listed && fewest == all);
  }
}
