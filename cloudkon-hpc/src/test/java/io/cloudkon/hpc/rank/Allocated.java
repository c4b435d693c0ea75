package io.cloudkon.hpc.rank;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures how much memory code asks for. */
final class Allocated {
  private Allocated() {}

  /** Code that may throw. */
  interface Body {
    void run() throws Exception;
  }

  /** The bytes that the calling thread allocates while it runs the body a second time. */
  static long bytes(Body body) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    body.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    body.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
