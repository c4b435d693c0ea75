package io.cloudkon.client.run;

import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a run's lease, shared by the thread that renews the lease and those that
 * wait for it. Thread safe.
 */
final class SharedLease {
  private static final LeaseEffect NOTHING = new LeaseEffect.Nothing();

  private final LeaseMachine lease;
  private final TimeSource time;
  private final BooleanSupplier publishes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private @Nullable Throwable lost;

  /**
   * A lease that is renewed.
   *
   * @param publishes whether there is something to publish, so that the next renewal is due
   *     earlier; called with the lock held
   */
  SharedLease(LeaseMachine lease, TimeSource time, BooleanSupplier publishes) {
    this.lease = lease;
    this.time = time;
    this.publishes = publishes;
  }

  /** A step of the lease, and the time when it was requested. */
  record Step(LeaseEffect effect, Moment asked) {}

  /** Waits for the next step; waits less if there is something to publish. */
  Step awaitNext(boolean evenIfClosed) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Moment now = time.now();
        LeaseEffect next =
            closed && !evenIfClosed ? NOTHING : lease.next(now, publishes.getAsBoolean());
        if (!(next instanceof LeaseEffect.Wait wait)) {
          return new Step(next, now);
        }
        var unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(wait.millis()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Tells the machine what happened, and wakes all that wait. */
  void tell(Consumer<LeaseMachine> news) {
    lock.lock();
    try {
      news.accept(lease);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private <R extends @Nullable Object> R locked(Supplier<R> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  LeasePhase phase() {
    return locked(lease::phase);
  }

  /**
   * Returns as soon as the lease is certain to hold.
   *
   * @param over whether it is no longer needed; looked at every few hundred milliseconds
   * @return false if it will never hold again, or is no longer needed
   */
  boolean awaitValid(BooleanSupplier over) throws InterruptedException {
    lock.lock(); // what has been received is not dropped for an interrupt while the lease holds
    try {
      while (!closed && !lease.valid(time.now())) {
        if (over.getAsBoolean()) {
          return false;
        }
        var unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(LeaseMachine.RETRY_MILLIS));
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the renewing thread something to publish; returns false if it will not be published. */
  boolean awaitPublished(Runnable news) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      news.run();
      changed.signalAll();
      while (!closed && publishes.getAsBoolean()) {
        changed.await();
      }
      return !publishes.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the renewal, and all that wait for the lease. */
  void close() {
    tell(machine -> closed = true);
  }

  /** Does the same, because the lease is lost for this reason. */
  void lose(Throwable why) {
    tell(machine -> {
      lost = why;
      closed = true;
    });
  }

  /** Why the lease was lost; null if it was not. */
  @Nullable Throwable lost() {
    return locked(() -> lost);
  }
}
