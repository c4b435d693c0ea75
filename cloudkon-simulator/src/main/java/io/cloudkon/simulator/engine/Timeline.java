package io.cloudkon.simulator.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The future events of a simulation, by virtual time. What falls on the same microsecond happens in
 * the order in which it was put here, so that one seed gives one history. A heap with four children
 * a node, in arrays: a fleet of many thousand workers has as many entries. Used by one thread.
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

  /** Microseconds since the begin. */
  public long now() {
    return now;
  }

  /** How much has happened so far. */
  public long happened() {
    return happened;
  }

  /** Whether nothing is to happen any more. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Puts something here, so many microseconds from now; 0 or more. */
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

  /** Lets the next thing happen; time jumps there. */
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
