package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The outcome of the work on a run; the first one that is set counts. Thread safe. */
public final class RunOutcome {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition over = lock.newCondition();
  private @Nullable RunEnd end;
  private @Nullable RuntimeException failure;

  /** Ends the work. */
  public void end(RunEnd how) {
    lock.lock();
    try {
      if (!isOver()) {
        end = how;
        over.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the work with a failure. */
  public void failed(Throwable why) {
    lock.lock();
    try {
      if (!isOver()) {
        failure =
            why instanceof RuntimeException failed
                ? failed
                : new CloudKonException(
                    "the client cannot continue: %s; the tasks that were sent continue without it"
                        .formatted(why),
                    why);
        over.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the work has ended or failed. */
  public boolean over() {
    lock.lock();
    try {
      return isOver();
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    return end != null || failure != null;
  }

  /** Waits until the work is over, and returns how it ended; throws the failure if it failed. */
  public RunEnd await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isOver()) {
        over.await();
      }
      checkWell();
      return end == null ? RunEnd.COMPLETE : end;
    } finally {
      lock.unlock();
    }
  }

  /** Throws the failure, if there is one. */
  void checkWell() {
    lock.lock();
    try {
      RuntimeException why = failure;
      if (why != null) {
        throw why;
      }
    } finally {
      lock.unlock();
    }
  }
}
