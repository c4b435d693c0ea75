package io.cloudkon.worker.service;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the receive that is under way when a worker leaves. A service notices late, or never, that a
 * receive was aborted: until then it may give that receive a message, which is then hidden from
 * everybody for a whole lease. So a receive is aborted only after half a second in which this
 * worker made nothing visible: the receive began earlier, the worker has nothing in hand, and no
 * call is under way that puts a message back. What was visible until then has come. A message that
 * was put back hidden for longer may still meet a receive that was aborted. A queue whose receives
 * end with their interrupt needs none of this. Thread safe.
 */
final class LastReceive {
  private static final long LOOK_MILLIS = 50;

  /** How many looks in a row must find nothing that changes the queue. */
  private static final int QUIET_LOOKS = 10;

  private final BooleanSupplier nothingInHand;
  private final int quietLooks;
  private final AtomicReference<@Nullable UnderWay> receive = new AtomicReference<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong changes = new AtomicLong();
  private final CountDownLatch never = new CountDownLatch(1);
  private volatile boolean stopped;

  /** A receive that is under way. */
  static final class UnderWay {
    private final Thread thread = Thread.currentThread();
  }

  /**
   * No receive is under way.
   *
   * @param nothingInHand whether the worker has no message of the queue
   * @param endsAtOnce whether a receive takes no more messages once it is interrupted
   */
  LastReceive(BooleanSupplier nothingInHand, boolean endsAtOnce) {
    this.nothingInHand = nothingInHand;
    this.quietLooks = endsAtOnce ? 0 : QUIET_LOOKS;
  }

  /** Begins a receive in this thread, or another part of the one that it has begun. */
  UnderWay begin() {
    UnderWay now = new UnderWay();
    receive.set(now);
    return now;
  }

  /** Ends it, unless the next one has begun already. */
  void end(UnderWay now) {
    receive.compareAndSet(now, null);
  }

  /** Whether no receive is to begin any more. */
  boolean stopped() {
    return stopped;
  }

  /** Wraps an executor whose calls may put messages back, and counts those that are under way. */
  Executor around(Executor io) {
    return call -> {
      calls.incrementAndGet();
      boolean accepted = false;
      try {
        io.execute(() -> {
          try {
            call.run();
          } finally {
            ended();
          }
        });
        accepted = true;
      } finally {
        if (!accepted) {
          ended();
        }
      }
    };
  }

  private void ended() {
    changes.incrementAndGet();
    calls.decrementAndGet();
  }

  /** Records that the worker has one message less in hand. */
  void returned() {
    changes.incrementAndGet();
  }

  /** Lets no receive begin any more, and ends the one that is under way; returns at once. */
  void stop() {
    stopped = true;
    if (receive.get() != null) {
      Thread.ofVirtual().name("cloudkon-abort").start(this::abort);
    }
  }

  private void abort() {
    try {
      UnderWay last = receive.get();
      long seen = changes.get();
      for (int quiet = 0; last != null && quiet < quietLooks; ) {
        boolean unused = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        UnderWay now = receive.get();
        long count = changes.get();
        boolean same = last.equals(now) && count == seen;
        quiet = same && calls.get() == 0 && nothingInHand.getAsBoolean() ? quiet + 1 : 0;
        last = now;
        seen = count;
      }
      if (last != null && last.equals(receive.get())) {
        last.thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
