package io.cloudkon.worker.health;

import io.cloudkon.worker.execute.Interruption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running task that may make its worker sick. Its slot closes it when nothing of it is left, or
 * when it could not be stopped. Thread safe.
 */
public final class RunningTask implements AutoCloseable {
  private static final long DECIDED_SECONDS = 60;

  private final RunningTasks all;
  private final Interruption.OfTask interruption;
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CompletableFuture<Boolean> guilty = new CompletableFuture<>();
  private volatile boolean tried;
  private volatile boolean runsOn;

  RunningTask(RunningTasks all, Interruption.OfTask interruption) {
    this.all = all;
    this.interruption = interruption;
  }

  /** The interruption that stops it. */
  public Interruption interruption() {
    return interruption.interruption();
  }

  /**
   * Returns whether the worker recovered as soon as nothing of the task was left. Called by its
   * slot at that point; waits for the answer if the task was killed to find out.
   */
  public boolean madeWorkerSick() {
    gone.countDown();
    if (!tried) {
      return false;
    }
    try {
      return guilty.get(DECIDED_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Records that it ignored its interruption and may run on, so that it proves nothing. */
  public void runsOn() {
    runsOn = true;
    gone.countDown();
  }

  /** Kills it and waits at most that long; returns whether nothing of it is left. */
  boolean end(String why, long millis) throws InterruptedException {
    tried = true;
    interruption.interruption().kill(why);
    return gone.await(millis, TimeUnit.MILLISECONDS) && !runsOn;
  }

  void decide(boolean itWasIt) {
    guilty.complete(itWasIt);
  }

  @Override
  public void close() {
    gone.countDown();
    interruption.close();
    all.remove(this);
  }
}
