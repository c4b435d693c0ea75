package io.cloudkon.bench.simulate;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** Measures the peak heap of this process. */
final class Heap {
  private static final List<MemoryPoolMXBean> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();

  private Heap() {}

  /** Starts a new measurement of the peak. */
  static void forgetPeak() {
    // The garbage of earlier work must not count.
    System.gc();
    POOLS.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The peak number of bytes in use since then, garbage included. */
  static long peak() {
    return POOLS.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }
}
