package io.cloudkon.local;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The latency of the network and AWS, which an emulator on this machine lacks. Each answer is
 * delayed by a log-normal time, like the latencies of services; its 99th percentile is three times
 * its median. The delays come from a fixed seed in the order of the answers, and are at most 10 s
 * each. Thread-safe.
 */
final class EmulatedLatency {
  /** No delay. */
  static final EmulatedLatency NONE = new EmulatedLatency(Duration.ZERO, Thread::sleep);

  private static final long SEED = 1;
  private static final double LONGEST_NANOS = 10e9;

  /**
   * The standard deviation of the logarithm: the 99th percentile, at three medians, is 2.3263
   * standard deviations away.
   */
  private static final double SIGMA = Math.log(3) / 2.3263;

  private final Duration median;
  private final Pause pause;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** Waits for a time. */
  interface Pause {
    void of(Duration time) throws InterruptedException;
  }

  /** Creates delays of this median; zero for none. */
  EmulatedLatency(Duration median, Pause pause) {
    this.median = median;
    this.pause = pause;
  }

  /** Creates delays of this median; zero for none. */
  static EmulatedLatency of(Duration median) {
    return median.isZero() ? NONE : new EmulatedLatency(median, Thread::sleep);
  }

  /** Delays one answer. An interrupt ends the wait, and the thread stays interrupted. */
  void delay() {
    if (median.isZero()) {
      return;
    }
    try {
      pause.of(draw());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Duration draw() {
    double nanos = median.toNanos() * Math.exp(SIGMA * random.nextGaussian());
    return Duration.ofNanos((long) Math.min(nanos, LONGEST_NANOS));
  }
}
