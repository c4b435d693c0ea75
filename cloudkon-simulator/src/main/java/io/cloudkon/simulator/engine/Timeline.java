package io.cloudkon.simulator.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The future events of a simulation, by virtual time. Events of the same microsecond happen in the
 * order in which they were added, so that the same seed always gives the same history. Implemented
 * as a four-ary heap in arrays, because a fleet of many thousand workers has as many entries. Used
 * by one thread.
 */
public final class Timeline {
  private static final int CHILDREN = 4;

  private long[] at = new long[1024];
  private long[] rank = new long[1024];
  private @Nullable Runnable[] what = new Runnable[1024];
  private int size;
  private long now;
  private long ranks;
  private long happened;

  /** The microseconds since the start. */
  public long now() {
    return now;
  }

  /** The number of events that have happened. */
  public long happened() {
    return happened;
  }

  /** Whether no event is left. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Adds an event that many microseconds from now; 0 or more. */
  public void in(long micros, Runnable event) {
    if (micros < 0) {
      throw new IllegalArgumentException("nothing happens %d us ago".formatted(-micros));
    }
    if (size == at.length) {
      at = Arrays.copyOf(at, 2 * size);
      rank = Arrays.copyOf(rank, 2 * size);
      what = Arrays.copyOf(what, 2 * size);
    }
    long when = now + micros;
    long order = ranks++;
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) / CHILDREN;
      if (!before(when, order, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, when, order, event);
  }

  /** Advances the time to the next event and runs it. */
  public void step() {
    Runnable next = what[0];
    if (size == 0 || next == null) {
      throw new IllegalStateException("nothing is to happen any more");
    }
    now = at[0];
    happened++;
    removeFirst();
    next.run();
  }

  /** Advances the time by that many microseconds, and runs all events until then. */
  public void letPass(long micros) {
    boolean[] over = {false};
    in(micros, () -> over[0] = true);
    while (!over[0]) {
      step();
    }
  }

  private void removeFirst() {
    size--;
    long when = at[size];
    long order = rank[size];
    Runnable event = what[size];
    what[size] = null;
    if (size == 0) {
      return;
    }
    int hole = 0;
    while (true) {
      int least = least(hole * CHILDREN + 1);
      if (least < 0 || before(when, order, least)) {
        break;
      }
      move(least, hole);
      hole = least;
    }
    put(hole, when, order, event);
  }

  /** The earliest of a node's children; -1 if it has none. */
  private int least(int first) {
    if (first >= size) {
      return -1;
    }
    int least = first;
    int end = Math.min(size, first + CHILDREN);
    for (int child = first + 1; child < end; child++) {
      if (before(at[child], rank[child], least)) {
        least = child;
      }
    }
    return least;
  }

  private boolean before(long when, long order, int entry) {
    return when < at[entry] || (when == at[entry] && order < rank[entry]);
  }

  private void move(int from, int to) {
    at[to] = at[from];
    rank[to] = rank[from];
    what[to] = what[from];
  }

  private void put(int entry, long when, long order, @Nullable Runnable event) {
    at[entry] = when;
    rank[entry] = order;
    what[entry] = event;
  }
}
