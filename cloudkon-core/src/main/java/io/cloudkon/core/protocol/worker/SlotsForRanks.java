package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * The slots that a worker keeps for ranks of HPC jobs, which take precedence over tasks. Slots that
 * are free are kept at once, and more as they become free, up to the number of the last request.
 * Pure; used by one thread at a time.
 */
final class SlotsForRanks {
  /** For how long a rank may be promised a slot that runs a task, in microseconds. */
  private static final double SOON_MICROS = 250_000;

  private final Slots slots;
  private final int most;
  private long question;
  private int wanted;
  private boolean sick;

  /** Whether the last request was not answered yet. */
  private boolean asked;

  /**
   * A worker that keeps none.
   *
   * @param slots its slots
   * @param most the number of all its slots
   */
  SlotsForRanks(Slots slots, int most) {
    this.slots = slots;
    this.most = most;
  }

  /** Handles a request; slots in excess of it are returned to the tasks. */
  void on(WorkerEvent.KeepSlots request) {
    question = request.question();
    wanted = Math.min(request.slots(), most);
    slots.keep(Math.min(slots.kept(), wanted));
    asked = true;
  }

  /** Records whether the worker is sick: for as long, it keeps no more slots. */
  void sick(boolean so) {
    sick = so;
  }

  /**
   * Keeps the free slots that are still wanted.
   *
   * @param out receives the report, if there is a new request or another slot was kept
   */
  void keepFree(Moment now, List<WorkerEffect> out) {
    int before = slots.kept();
    int more = sick ? 0 : Math.max(0, Math.min(wanted - before, slots.free()));
    if (more > 0 || asked) {
      asked = false;
      slots.keep(before + more);
      out.add(new WorkerEffect.SlotsKept(question, before + more, soon(now)));
    }
  }

  /**
   * The number of slots that run a task and will probably be free in a moment: a quarter of a
   * second by estimate, and not overdue by more. None while the worker is sick.
   */
  int soon(Moment now) {
    return sick ? 0 : slots.dueWithin(SOON_MICROS, now);
  }
}
