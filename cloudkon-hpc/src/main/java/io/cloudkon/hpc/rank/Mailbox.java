package io.cloudkon.hpc.rank;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that were sent to one rank and that it has not received yet, bounded in bytes. There
 * is one mailbox per rank and attempt of a job; frames of another attempt must not be delivered to
 * it. Thread safe: any thread may deliver, and the rank's own thread receives.
 *
 * <p>A full mailbox refuses a frame, and the sender offers it again. To avoid a deadlock, two
 * frames are accepted even then: any frame while the mailbox is empty, and the next frame of a
 * sender for whose message the rank is waiting.
 */
public final class Mailbox {
  /** 64 MiB. */
  public static final long DEFAULT_BYTES = 64L << 20;

  /**
   * The bytes that a message counts in addition to its body, so that the number of empty messages
   * is bounded too.
   */
  private static final int OVERHEAD = 64;

  private final long capacity;
  private final int ranks;

  /**
   * Only of the ranks that this one hears from or has waited for: a rank of a large job seldom
   * talks to all others.
   */
  private final Map<Integer, Inbound> inbound = new HashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition room = lock.newCondition();
  private long held;
  private int awaited = -1;
  private Channel awaitedChannel = Channel.DIRECT;

  /** Whether a frame was taken. */
  public enum Delivery {
    /** The frame was accepted, now or before: the sender continues. */
    TAKEN,
    /** The mailbox is full: the sender offers the frame again. */
    FULL
  }

  /**
   * An empty mailbox.
   *
   * @param ranks the number of ranks of the job
   * @param capacity how much it holds, in bytes; see {@link #DEFAULT_BYTES}
   */
  public Mailbox(int ranks, long capacity) {
    if (ranks < 1 || capacity < 0) {
      throw new IllegalArgumentException(
          "a mailbox is for 1 rank or more and 0 bytes or more, not %d and %d"
              .formatted(ranks, capacity));
    }
    this.capacity = capacity;
    this.ranks = ranks;
  }

  /** An empty mailbox of 64 MiB. */
  public Mailbox(int ranks) {
    this(ranks, DEFAULT_BYTES);
  }

  /** An empty mailbox for the same ranks and of the same capacity. */
  Mailbox another() {
    return new Mailbox(ranks, capacity);
  }

  /**
   * Accepts a frame, but only once, however often it is delivered; waits for room for at most the
   * given time.
   *
   * @throws IllegalArgumentException if the sender is not a rank of this job, or the bytes are not
   *     a frame
   */
  public Delivery deliver(int from, byte[] framed, Duration atMost) throws InterruptedException {
    check(from);
    Frame frame = Frame.decode(from, framed);
    long nanos = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      Inbound sender = sender(from);
      while (true) {
        if (sender.knows(frame)) {
          return Delivery.TAKEN;
        }
        if (fits(from, sender, frame)) {
          held += cost(frame.body());
          sender.add(frame);
          arrived.signalAll();
          // with a frame that was missing, another one may become the next in order
          room.signalAll();
          return Delivery.TAKEN;
        }
        if (nanos <= 0) {
          return Delivery.FULL;
        }
        nanos = room.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts a frame, but only once, however often it is delivered; returns at once if there is no
   * room.
   */
  public Delivery deliver(int from, byte[] framed) throws InterruptedException {
    return deliver(from, framed, Duration.ZERO);
  }

  /**
   * Waits for the next message from that rank on that channel. To be called by the rank's own
   * thread.
   */
  byte[] take(int from, Channel channel) throws InterruptedException {
    check(from);
    lock.lockInterruptibly();
    try {
      Inbound sender = sender(from);
      while (true) {
        byte[] message = sender.poll(channel);
        if (message != null) {
          held -= cost(message);
          room.signalAll();
          return message;
        }
        awaited = from;
        awaitedChannel = channel;
        room.signalAll();
        arrived.await();
      }
    } finally {
      awaited = -1;
      lock.unlock();
    }
  }

  private boolean fits(int from, Inbound sender, Frame frame) {
    boolean needed = awaited == from && sender.isEmpty(awaitedChannel) && sender.isNext(frame);
    return held == 0 || needed || held + cost(frame.body()) <= capacity;
  }

  private static long cost(byte[] body) {
    return (long) OVERHEAD + body.length;
  }

  private void check(int from) {
    if (from < 0 || from >= ranks) {
      throw new IllegalArgumentException(
          "there is no rank %d among %d ranks".formatted(from, ranks));
    }
  }

  private Inbound sender(int from) {
    return inbound.computeIfAbsent(from, rank -> new Inbound());
  }
}
