package io.cloudkon.simulator.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Natural batching, as {@link io.cloudkon.core.batch.NaturalBatcher} does it with threads: while no
 * call is in flight an item is sent at once; otherwise items gather until a call returns.
 *
 * @param <T> the type of the items
 */
public final class Batcher<T> {
  private final int lanes;
  private final int maxItems;
  private final int maxBytes;
  private final ToIntFunction<T> bytes;
  private final Calling<T> calling;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int underWay;

  /** Makes a call. */
  @FunctionalInterface
  public interface Calling<T> {
    /**
     * Makes a call.
     *
     * @param answered must be run once, when the call's lane is free again
     */
    void call(List<T> batch, Runnable answered);
  }

  public Batcher(
      int lanes, int maxItems, int maxBytes, ToIntFunction<T> bytes, Calling<T> calling) {
    this.lanes = lanes;
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
    this.bytes = bytes;
    this.calling = calling;
  }

  /** The number of items that wait. */
  public int waiting() {
    return waiting.size();
  }

  /** Whether no item waits and no call is in flight. */
  public boolean idle() {
    return waiting.isEmpty() && underWay == 0;
  }

  public void add(T item) {
    waiting.add(item);
    pump();
  }

  private void pump() {
    while (underWay < lanes && !waiting.isEmpty()) {
      List<T> batch = new ArrayList<>(Math.min(maxItems, waiting.size()));
      int size = 0;
      while (batch.size() < maxItems && !waiting.isEmpty()) {
        int more = bytes.applyAsInt(waiting.element());
        if (!batch.isEmpty() && size + more > maxBytes) {
          break;
        }
        size += more;
        batch.add(waiting.remove());
      }
      underWay++;
      calling.call(batch, this::answered);
    }
  }

  private void answered() {
    underWay--;
    pump();
  }
}
