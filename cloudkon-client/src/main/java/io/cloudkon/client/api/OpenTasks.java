package io.cloudkon.client.api;

import io.cloudkon.core.error.CloudKonException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The tasks of a session that have no result yet, and the limit on their number. Thread safe. */
final class OpenTasks {
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();

  /** The calls that wait for room, in order; only the first one may take it. */
  private final Deque<Condition> waiting = new ArrayDeque<>();

  private final Map<Integer, CompletableFuture<SessionResult>> futures = new HashMap<>();

  /** The number of tasks that have a future or are about to have one. */
  private long count;

  private Optional<String> over = Optional.empty();

  OpenTasks(int most) {
    this.most = most;
  }

  /**
   * Reserves room for tasks. Waits while they would exceed the limit, but admits any number of
   * tasks while none is open. Calls that wait are admitted in their order: otherwise single tasks
   * would take each place before there is room for many.
   *
   * @param waits whether to wait at all
   * @throws CloudKonException if the session is over, or the thread was interrupted
   */
  void reserve(int tasks, boolean waits) {
    lock.lock();
    try {
      if (waits) {
        awaitRoom(tasks);
      }
      over.ifPresent(why -> {
        throw new CloudKonException(why);
      });
      count += tasks;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloudKonException(
          "interrupted while the maximum of %,d tasks was open; nothing was submitted"
              .formatted(most),
          e);
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom(int tasks) throws InterruptedException {
    Condition turn = lock.newCondition();
    waiting.add(turn);
    try {
      while (over.isEmpty()
          && (!turn.equals(waiting.peek()) || (count > 0 && count + tasks > most))) {
        turn.await();
      }
    } finally {
      waiting.remove(turn);
      changed();
    }
  }

  /** Lets the first call that waits look again. */
  private void changed() {
    Condition first = waiting.peek();
    if (first != null) {
      first.signal();
    }
  }

  /** Gives back the room of tasks that are not submitted after all. */
  void release(int tasks) {
    lock.lock();
    try {
      count -= tasks;
      changed();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a task for which room was reserved. */
  void add(int ordinal, CompletableFuture<SessionResult> future) {
    lock.lock();
    try {
      futures.put(ordinal, future);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a task that has its result, and frees its room; empty if the task was no longer open.
   */
  Optional<CompletableFuture<SessionResult>> finished(int ordinal) {
    lock.lock();
    try {
      CompletableFuture<SessionResult> future = futures.remove(ordinal);
      if (future != null) {
        count--;
        changed();
      }
      return Optional.ofNullable(future);
    } finally {
      lock.unlock();
    }
  }

  /** The number of tasks without a result. */
  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses further tasks. Calls that wait for room fail with this reason; the first reason counts.
   */
  void close(String why) {
    lock.lock();
    try {
      if (over.isEmpty()) {
        over = Optional.of(why);
      }
      waiting.forEach(Condition::signal);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the futures of all tasks that have no result. */
  List<CompletableFuture<SessionResult>> abandon() {
    lock.lock();
    try {
      List<CompletableFuture<SessionResult>> left = List.copyOf(futures.values());
      futures.clear();
      count -= left.size();
      return left;
    } finally {
      lock.unlock();
    }
  }
}
