package io.cloudkon.worker.execute.spawn;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The starts of processes that are under way in this JVM. Until its program is executed, a new
 * process has a copy of every descriptor, also of those by which programs are written at that
 * moment, and the kernel refuses to execute a file that is open for writing. So whoever has written
 * a program waits for the starts that began before; those that begin later have no such copy.
 * Starts never wait. Thread safe.
 */
public final class PendingStarts {
  /** The starts of this process: descriptors belong to all of it. */
  public static final PendingStarts OF_THIS_PROCESS = new PendingStarts(Duration.ofSeconds(2));

  private final Set<CountDownLatch> pending = ConcurrentHashMap.newKeySet();
  private final Duration longest;

  /**
   * No start yet.
   *
   * @param longest the longest wait in all: a start may hang as long as its program's file system
   */
  PendingStarts(Duration longest) {
    this.longest = longest;
  }

  /** A start of a process, which has executed its program, or failed, when it returns. */
  public interface Start<T> {
    T start() throws IOException;
  }

  /** Starts a process. */
  public <T> T during(Start<T> start) throws IOException {
    CountDownLatch mine = new CountDownLatch(1);
    pending.add(mine);
    try {
      return start.start();
    } finally {
      pending.remove(mine);
      mine.countDown();
    }
  }

  /** Waits for the starts that are under way now; returns at once if interrupted. */
  public void awaitThoseBegun() {
    long end = System.nanoTime() + longest.toNanos();
    try {
      for (CountDownLatch each : List.copyOf(pending)) {
        if (!each.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          pending.remove(each); // it hangs: nobody else waits for it
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
