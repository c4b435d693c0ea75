package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cloudkon.core.handler.TaskHandler;
import java.util.List;
import java.util.SplittableRandom;

/**
 * {@code java pi SEED SAMPLES}: a Monte Carlo estimate of pi, as a decimal number. The same seed
 * and samples give the same answer on every machine.
 */
public final class PiHandler implements TaskHandler {
  /** The number of samples between checks of the interrupt flag: under a millisecond of work. */
  private static final int STRIDE = 1 << 16;

  @Override
  public String name() {
    return "pi";
  }

  @Override
  public byte[] run(List<String> args) throws InterruptedException {
    if (args.size() != 2) {
      throw new IllegalArgumentException("pi needs two arguments: pi SEED SAMPLES");
    }
    SplittableRandom random = new SplittableRandom(whole("SEED", args.get(0)));
    long samples = whole("SAMPLES", args.get(1));
    if (samples < 1) {
      throw new IllegalArgumentException("pi: SAMPLES must be at least 1, not " + samples);
    }
    double pi = 4.0 * hits(random, samples) / samples;
    return Double.toString(pi).getBytes(ISO_8859_1);
  }

  private static long hits(SplittableRandom random, long samples) throws InterruptedException {
    long hits = 0;
    for (long i = 0; i < samples; i++) {
      if (i % STRIDE == 0 && Thread.interrupted()) {
        throw new InterruptedException("pi was interrupted after " + i + " samples");
      }
      double x = random.nextDouble();
      double y = random.nextDouble();
      if (x * x + y * y < 1) {
        hits++;
      }
    }
    return hits;
  }

  private static long whole(String what, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "pi: " + what + " must be a whole number, not '" + text + "'", e);
    }
  }
}
