package io.cloudkon.client.api;

import io.cloudkon.core.error.CloudKonException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a session: waits for its run, fails the futures that are left, releases everything,
 * and tells those that wait for it. Thread safe.
 */
final class SessionEnd {
  private final SessionRun run;
  private final OpenTasks open;
  private final ResultDelivery delivery;
  private final Runnable release;

  /**
   * How it ended.
   *
   * @param left the number of tasks left open
   * @param failure what stopped it; null if nothing did
   */
  private record Over(int left, @Nullable Throwable failure) {}

  /** Completed after the run and all futures. */
  private final CompletableFuture<Over> over = new CompletableFuture<>();

  /** Whether somebody was told of the failure, or is about to be. */
  private final AtomicBoolean told = new AtomicBoolean();

  /** The thread that fails the remaining futures, before {@link #over} is complete. */
  private volatile @Nullable Thread ending;

  /**
   * Waits for nothing before {@link #start}.
   *
   * @param release releases what the session has, besides its run and its delivery
   */
  SessionEnd(SessionRun run, OpenTasks open, ResultDelivery delivery, Runnable release) {
    this.run = run;
    this.open = open;
    this.delivery = delivery;
    this.release = release;
  }

  /** Waits for the run's end on a thread of its own. */
  void start() {
    var unused = SessionThreads.start("cloudkon-session-end", this::awaitRun);
  }

  /** Refuses a call that would wait for itself. */
  void refuseFromWithin(String what) {
    if (delivery.isDelivering() || Thread.currentThread().equals(ending)) {
      throw new IllegalStateException(
          what + "() was called by a listener or a future of the session; expected another thread");
    }
  }

  /** Leaves the run, waits for the end, and returns the number of tasks left open. */
  int leave() {
    interrupt();
    return await().left;
  }

  /** Waits for the end. Throws what stopped the session, at the first call. */
  void close() {
    boolean toldBefore = told.getAndSet(true);
    Over ended = await();
    if (ended.failure != null && !toldBefore) {
      CloudKonException failure = SessionRun.failure(ended.failure);
      throw ended.left == 0
          ? failure
          : new CloudKonException(
              "%s; %s".formatted(failure.getMessage(), run.leftBehind(ended.left)), failure);
    }
  }

  private void interrupt() {
    delivery.hurry();
    run.interrupt();
  }

  private Over await() {
    try {
      return over.get();
    } catch (InterruptedException e) {
      interrupt();
      Over ended = over.join();
      Thread.currentThread().interrupt();
      throw new CloudKonException("interrupted: " + run.leftBehind(ended.left), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // it is only ever completed with how it ended
    }
  }

  private void awaitRun() {
    ending = Thread.currentThread();
    Throwable failure = run.awaitEnd().orElse(null);
    try {
      release(failure);
    } catch (RuntimeException | Error e) {
      // Callers that wait for the end or for a result must be released, whatever happened.
      failure = failure == null ? e : failure;
    }
    int left = 0;
    try {
      left = abandon(failure);
    } finally {
      boolean unused = over.complete(new Over(left, failure));
    }
  }

  /** Takes no more tasks, delivers what has arrived, and releases everything. */
  private void release(@Nullable Throwable failure) {
    open.close(
        run.over(failure == null ? "has ended" : "cannot continue: " + failure.getMessage()));
    try {
      delivery.close();
    } finally {
      release.run();
    }
  }

  /** Fails the futures that are left, and returns their number. */
  private int abandon(@Nullable Throwable failure) {
    String left = run.leftBehind(open.count());
    List<CompletableFuture<SessionResult>> abandoned = open.abandon();
    CloudKonException why =
        new CloudKonException(failure == null ? left : failure.getMessage() + "; " + left, failure);
    abandoned.forEach(future -> future.completeExceptionally(why));
    return abandoned.size();
  }
}
