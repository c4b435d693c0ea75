package io.cloudkon.worker.health;

import io.cloudkon.worker.execute.Interruption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running task that may make its worker sick. Its slot closes it when nothing of it is left, or
 * when it could not be stopped. Thread safe.
 */
public final class RunningTask implements AutoCloseable {
  private static final long DECIDED_SECONDS = 60;

  private final RunningTasks all;
  private final Interruption.OfTask interruption;
  private volatile boolean gone;
  private volatile boolean runsOn;

  /** Set if it is killed to find out whether it made its worker sick. */
  private volatile @Nullable Trial trial;

  /**
   * The two answers that its killer and its slot wait for.
   *
   * @param gone opens when nothing of the task is left, or when it could not be stopped
   * @param guilty whether the worker recovered then
   */
  private record Trial(CountDownLatch gone, CompletableFuture<Boolean> guilty) {}

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
    setGone();
    Trial asked = trial;
    if (asked == null) {
      return false;
    }
    try {
      return asked.guilty.get(DECIDED_SECONDS, TimeUnit.SECONDS);
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
    setGone();
  }

  private void setGone() {
    gone = true;
    Trial waits = trial;
    if (waits != null) {
      waits.gone.countDown();
    }
  }

  /**
   * Kills it and waits at most that long; returns whether nothing of it is left. Called by one
   * thread.
   */
  boolean end(String why, long millis) throws InterruptedException {
    Trial before = trial;
    Trial begun =
        before != null ? before : new Trial(new CountDownLatch(1), new CompletableFuture<>());
    trial = begun; // before the look at gone: its slot sets that before it looks at this
    if (gone) {
      begun.gone.countDown();
    }
    interruption.interruption().kill(why);
    return begun.gone.await(millis, TimeUnit.MILLISECONDS) && !runsOn;
  }

  /** Answers its slot; called after {@link #end}. */
  void decide(boolean itWasIt) {
    Trial begun = trial;
    if (begun != null) {
      begun.guilty.complete(itWasIt);
    }
  }

  @Override
  public void close() {
    setGone();
    interruption.close();
    all.remove(this);
  }
}
