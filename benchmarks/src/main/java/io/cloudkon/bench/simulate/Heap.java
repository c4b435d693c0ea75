package io.cloudkon.bench.simulate;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** Measures how large this process's heap gets. */
final class Heap {
  private static final List<MemoryPoolMXBean> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();

  private Heap() {}

  /** From here on the peak is looked for. */
  static void forgetPeak() {
    // What is left of what was before is not to count.
    System.gc();
    POOLS.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The most bytes in use since, garbage included. */
  static long peak() {
    return POOLS.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }
}
