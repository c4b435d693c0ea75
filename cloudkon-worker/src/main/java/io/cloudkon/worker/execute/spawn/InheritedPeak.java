package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Distinguishes a spawned process's peak memory from this process's. {@code posix_spawn} creates a
 * process in the memory of this one, and Linux carries the peak of that memory over to the program
 * that the process becomes ({@code exec_mmap} in {@code fs/exec.c}). So the wait call reports the
 * larger of the two peaks, and only one that is clearly above this process's is the child's. Thread
 * safe.
 */
final class InheritedPeak {
  private static final int MAX_RSS = 32;
  private static final int KIB = 1024;

  /** An eighth of doubt: the kernel's counts lack what each processor still counts on its own. */
  private static final int DOUBT = 8;

  /** This process's peak in KiB at some earlier moment, so never more than it is now. */
  private static volatile long own;

  private InheritedPeak() {}

  /**
   * The peak in bytes of a process that has just been reaped; 0 if it may be this process's.
   *
   * @param usage the process's resource usage, which this method may overwrite
   */
  static long without(MemorySegment usage) {
    long peak = usage.get(JAVA_LONG, MAX_RSS);
    if (!isAbove(own, peak)) {
      return 0;
    }
    // it cannot have been higher than now when the child was spawned
    Libc.ownUsage(usage);
    long now = usage.get(JAVA_LONG, MAX_RSS);
    own = now;
    return isAbove(now, peak) ? peak * KIB : 0;
  }

  private static boolean isAbove(long own, long peak) {
    return peak - own > own / DOUBT;
  }
}
