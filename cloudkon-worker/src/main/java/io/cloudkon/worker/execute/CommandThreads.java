package io.cloudkon.worker.execute;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads that prepare, start and await commands, one for each slot that runs a
 * command: blocking system calls would occupy the carrier of a virtual thread. If a thread changes
 * its own state before it starts a command, for instance by entering another mount namespace, that
 * command and the thread's next one inherit the change. A thread that was idle for a minute ends.
 * Thread safe.
 */
final class CommandThreads implements AutoCloseable {
  private final ExecutorService threads;

  /** An attempt at a task. */
  interface Try {
    TaskOutcome run() throws TaskInterruptedException, NotStartedException;
  }

  private final Stamps stamps;

  CommandThreads(Stamps stamps) {
    this(stamps, Thread.ofPlatform().name("cloudkon-command-", 1).daemon().factory());
  }

  CommandThreads(Stamps stamps, ThreadFactory factory) {
    this.stamps = stamps;
    this.threads = Executors.newCachedThreadPool(factory);
  }

  /**
   * Runs an attempt on one of the threads and returns when it has ended. An interrupt of the caller
   * is passed on to that thread and does not end the wait.
   *
   * @throws NotStartedException also if there is no thread for it
   */
  TaskOutcome run(Try each) throws TaskInterruptedException, NotStartedException {
    boolean interrupted = Thread.interrupted();
    Running running = new Running(each, interrupted);
    try {
      threads.execute(running);
    } catch (OutOfMemoryError e) {
      throw NotStartedException.outOfMemory(e, stamps);
    }
    try {
      while (true) {
        try {
          return running.outcome.get();
        } catch (InterruptedException e) {
          interrupted = true;
          running.interrupt();
        }
      }
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause)
      throws TaskInterruptedException, NotStartedException {
    switch (cause) {
      case TaskInterruptedException e -> throw e;
      case NotStartedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new IllegalStateException("a try throws nothing else", cause);
    }
  }

  private static final class Running implements Runnable {
    final CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    private final Try each;
    private boolean interrupted;
    private @Nullable Thread thread;

    Running(Try each, boolean interrupted) {
      this.each = each;
      this.interrupted = interrupted;
    }

    @Override
    public void run() {
      enter();
      try {
        outcome.complete(each.run());
      } catch (Throwable e) {
        outcome.completeExceptionally(e);
      } finally {
        leave();
      }
    }

    synchronized void interrupt() {
      interrupted = true;
      if (thread != null) {
        thread.interrupt();
      }
    }

    private synchronized void enter() {
      thread = Thread.currentThread();
      if (interrupted) {
        thread.interrupt();
      }
    }

    /** Clears the interrupt, which must not reach the next attempt on this thread. */
    private synchronized void leave() {
      thread = null;
      boolean _ = Thread.interrupted();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
