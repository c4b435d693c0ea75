package io.cloudkon.worker.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * The memory that inputs from the blob store take in all slots together, except for ranks, from
 * their fetch until their tasks have ended. Without a limit, tasks that fit alone would fail, or
 * end their worker, because several run at a time. Served in the order of the requests. Thread
 * safe.
 */
final class InputRoom {
  /** The part of the heap; a fetch needs up to three times an input's size for a moment. */
  private static final int HEAP_SHARE = 6;

  private final long most;
  private final Deque<Place> waiting = new ArrayDeque<>();
  private long taken;

  /** A part of the heap. */
  static InputRoom ofHeap() {
    return new InputRoom(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  InputRoom(long most) {
    this.most = most;
  }

  /** One input's place, which it may have to wait for. */
  final class Place implements AutoCloseable {
    private final long bytes;
    private final CompletableFuture<Place> granted = new CompletableFuture<>();
    private boolean closed;

    private Place(long bytes) {
      this.bytes = bytes;
    }

    /** Completed once there is room. */
    CompletableFuture<Place> granted() {
      return granted;
    }

    /** Gives the place up, whether it was granted yet or not. */
    @Override
    public void close() {
      leave(this);
    }
  }

  /** Asks for a place; an input that is larger than all the room gets it alone. */
  synchronized Place place(long bytes) {
    Place place = new Place(bytes);
    waiting.add(place);
    admit();
    return place;
  }

  private synchronized void leave(Place place) {
    if (!place.closed) {
      place.closed = true;
      if (!waiting.remove(place)) {
        taken -= place.bytes;
      }
      admit();
    }
  }

  private void admit() {
    while (!waiting.isEmpty() && (taken == 0 || taken + waiting.element().bytes <= most)) {
      Place next = waiting.remove();
      taken += next.bytes;
      boolean unused = next.granted.complete(next);
    }
  }
}
