package io.cloudkon.simulator.cloud;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue that can be received: a ring buffer from which one of the oldest is
 * picked.
 */
final class VisibleMessages<M> {
  private final int among;
  private final SplittableRandom random;

  @SuppressWarnings({"unchecked", "rawtypes"}) // Holds nothing else.
  private @Nullable Message<M>[] ring = new Message[64];

  private int first;
  private int size;

  VisibleMessages(int among, SplittableRandom random) {
    this.among = among;
    this.random = random;
  }

  int size() {
    return size;
  }

  void add(Message<M> message) {
    if (size == ring.length) {
      @Nullable Message<M>[] larger = Arrays.copyOf(ring, 2 * size);
      for (int i = 0; i < size; i++) {
        larger[i] = ring[(first + i) % size];
      }
      ring = larger;
      first = 0;
    }
    ring[(first + size) % ring.length] = message;
    size++;
  }

  void forEach(Consumer<Message<M>> consumer) {
    for (int i = 0; i < size; i++) {
      Message<M> message = ring[(first + i) % ring.length];
      if (message != null) {
        consumer.accept(message);
      }
    }
  }

  /** Takes one of the oldest messages. */
  Message<M> take() {
    int window = Math.min(among, size);
    int picked = (first + (window > 1 ? random.nextInt(window) : 0)) % ring.length;
    Message<M> message = ring[picked];
    if (message == null) {
      throw new IllegalStateException("nothing is visible");
    }
    ring[picked] = ring[first];
    ring[first] = null;
    first = (first + 1) % ring.length;
    size--;
    return message;
  }
}
