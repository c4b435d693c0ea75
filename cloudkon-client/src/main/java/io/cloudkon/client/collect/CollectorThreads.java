package io.cloudkon.client.collect;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a collector: those that it starts with, and helpers. Thread safe. */
final class CollectorThreads implements AutoCloseable {
  private final CountDownLatch stopped;
  private final int mostHelpers;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicInteger helpers = new AtomicInteger();

  /**
   * Starts no thread yet.
   *
   * @param stopped opens before {@link #close}; from then on no helper begins to work
   */
  CollectorThreads(CountDownLatch stopped, int mostHelpers) {
    this.stopped = stopped;
    this.mostHelpers = mostHelpers;
  }

  /** Starts a thread. */
  void start(String name, Runnable work) {
    threads.add(Thread.ofVirtual().name(name).start(work));
  }

  /** Starts one more thread, unless there are as many helpers as there may be. */
  void help(Runnable work) {
    if (helpers.incrementAndGet() > mostHelpers || stopped.getCount() == 0) {
      helpers.decrementAndGet();
      return;
    }
    Thread helper =
        Thread.ofVirtual().name("cloudkon-collect-more").unstarted(() -> runHelper(work));
    threads.add(helper);
    helper.start();
    if (stopped.getCount() == 0) {
      helper.interrupt(); // close() may not have seen it
    }
  }

  private void runHelper(Runnable work) {
    try {
      // close() may have looked at the threads before this one was added, and then does not wait
      // for it.
      if (stopped.getCount() > 0) {
        work.run();
      }
    } finally {
      helpers.decrementAndGet();
      threads.remove(Thread.currentThread());
    }
  }

  /** Interrupts all threads, and returns when they have ended. */
  @Override
  public void close() throws InterruptedException {
    // A helper may have been called a moment before.
    for (Set<Thread> left = Set.copyOf(threads); !left.isEmpty(); left = Set.copyOf(threads)) {
      left.forEach(Thread::interrupt);
      for (Thread thread : left) {
        thread.join();
      }
      threads.removeAll(left);
    }
  }
}
