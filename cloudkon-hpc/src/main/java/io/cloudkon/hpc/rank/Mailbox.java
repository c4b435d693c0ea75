package io.cloudkon.hpc.rank;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that one rank was sent and has not received yet, bounded in bytes. One for each rank
 * of one attempt of one job: frames of another must not come here. Thread safe: any thread may
 * deliver, the rank's own receives.
 *
 * <p>A full mailbox refuses, and the sender offers again. Two things it takes all the same, or
 * ranks would wait for ever: any frame while it is empty, and while its rank waits for a message
 * from one sender, that sender's next frame.
 */
public final class Mailbox {
  /** 64 MiB. */
  public static final long DEFAULT_BYTES = 64L << 20;

  /** What a message costs besides its body: empty ones must not come without end either. */
  private static final int OVERHEAD = 64;

  private final long capacity;
  private final Inbound[] inbound;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition room = lock.newCondition();
  private long held;
  private int awaited = -1;
  private Channel awaitedChannel = Channel.DIRECT;

  /** Whether a frame was taken. */
  public enum Delivery {
    /** It is here, now or already before: the sender goes on. */
    TAKEN,
    /** There is no room: the sender offers it again. */
    FULL
  }

  /**
   * An empty mailbox.
   *
   * @param ranks how many ranks the job has
   * @param capacity how much it holds, in bytes; 64 MiB unless there is a reason
   */
  public Mailbox(int ranks, long capacity) {
    if (ranks < 1 || capacity < 0) {
      throw new IllegalArgumentException(
          "a mailbox is for 1 rank or more and 0 bytes or more, not %d and %d"
              .formatted(ranks, capacity));
    }
    this.capacity = capacity;
    this.inbound = new Inbound[ranks];
    for (int i = 0; i < ranks; i++) {
      inbound[i] = new Inbound();
    }
  }

  /** An empty mailbox of 64 MiB. */
  public Mailbox(int ranks) {
    this(ranks, DEFAULT_BYTES);
  }

  /**
   * Takes a frame, once however often it comes; waits for room no longer than that.
   *
   * @throws IllegalArgumentException if there is no such sender, or it is no frame
   */
  public Delivery deliver(int from, byte[] framed, Duration atMost) throws InterruptedException {
    Inbound sender = sender(from);
    Frame frame = Frame.decode(from, framed);
    long nanos = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        if (sender.knows(frame)) {
          return Delivery.TAKEN;
        }
        if (fits(from, frame)) {
          held += cost(frame.body());
          sender.add(frame);
          arrived.signalAll();
          // a frame that was missing may be what makes another one the next
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

  /** Takes a frame, once however often it comes, or says at once that there is no room. */
  public Delivery deliver(int from, byte[] framed) throws InterruptedException {
    return deliver(from, framed, Duration.ZERO);
  }

  /** The next message of that kind from that rank. For the rank's own thread. */
  byte[] take(int from, Channel channel) throws InterruptedException {
    Inbound sender = sender(from);
    lock.lockInterruptibly();
    try {
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

  private boolean fits(int from, Frame frame) {
    Inbound sender = inbound[from];
    boolean needed = awaited == from && sender.isEmpty(awaitedChannel) && sender.isNext(frame);
    return held == 0 || needed || held + cost(frame.body()) <= capacity;
  }

  private static long cost(byte[] body) {
    return (long) OVERHEAD + body.length;
  }

  private Inbound sender(int from) {
    if (from < 0 || from >= inbound.length) {
      throw new IllegalArgumentException(
          "there is no rank %d among %d ranks".formatted(from, inbound.length));
    }
    return inbound[from];
  }
}
