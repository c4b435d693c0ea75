package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The workers that answered a client lately, or were listed. Pure; used by one thread at a time.
 */
final class AnsweringWorkers {
  /** A worker that was silent this long counts no more, in milliseconds. */
  static final long SILENT_MILLIS = 30_000;

  private final Map<String, Worker> workers = new HashMap<>();
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

  private void put(String worker, int slots, boolean answered, Moment now) {
    workers.put(worker, new Worker(Math.max(1, slots), now.mono(), answered));
    any = true;
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
    int all = 0;
    int answered = 0;
    int fewest = Integer.MAX_VALUE;
    Iterator<Worker> each = workers.values().iterator();
    while (each.hasNext()) {
      Worker worker = each.next();
      if (now.mono() - worker.heard() > SILENT_MILLIS) {
        each.remove();
        // The list is too old to say who is alone.
        listed = false;
      } else {
        all += worker.slots();
        answered += worker.answered() ? worker.slots() : 0;
        fewest = Math.min(fewest, worker.slots());
      }
    }
    return all == 0
        ? Slots.ONE
        : new Slots(all, Math.max(fewest, answered), fewest, listed && fewest == all);
  }
}
