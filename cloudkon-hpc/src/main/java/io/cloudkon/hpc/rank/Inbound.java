package io.cloudkon.hpc.rank;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The messages from one rank, in order and each once, even if the link repeats or reorders them.
 * Guarded by its mailbox.
 */
final class Inbound {
  private final Map<Long, Frame> early = new HashMap<>();
  private final Map<Channel, Queue<byte[]>> ready = new EnumMap<>(Channel.class);
  private long next;

  /** Whether this frame has arrived before. */
  boolean knows(Frame frame) {
    return frame.number() < next || early.containsKey(frame.number());
  }

  /** Whether all frames that were sent before it have arrived. */
  boolean isNext(Frame frame) {
    return frame.number() == next;
  }

  void add(Frame frame) {
    early.put(frame.number(), frame);
    for (Frame in = early.remove(next); in != null; in = early.remove(next)) {
      queue(in.channel()).add(in.body());
      next++;
    }
  }

  boolean isEmpty(Channel channel) {
    return queue(channel).isEmpty();
  }

  byte @Nullable [] poll(Channel channel) {
    return queue(channel).poll();
  }

  private Queue<byte[]> queue(Channel channel) {
    return ready.computeIfAbsent(channel, unused -> new ArrayDeque<>());
  }
}
