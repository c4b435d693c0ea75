package io.cloudkon.hpc.rank;

import java.nio.ByteBuffer;
import java.util.function.DoubleBinaryOperator;

/** Numbers as bytes, and their combination element by element. */
final class Doubles {
  private Doubles() {}

  static byte[] bytes(double[] values) {
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(values.length, Double.BYTES));
    out.asDoubleBuffer().put(values);
    return out.array();
  }

  static double[] of(byte[] bytes) {
    double[] values = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(values);
    return values;
  }

  /** Combines both arrays into the first one, whose values are those of the lower ranks. */
  static void combine(
      double[] low, double[] high, DoubleBinaryOperator operator, int rank, int from) {
    if (low.length != high.length) {
      throw new IllegalArgumentException(
          ("rank %d gave %d values to be combined, and rank %d gave %d:"
                  + " every rank must give the same number")
              .formatted(rank, low.length, from, high.length));
    }
    for (int i = 0; i < low.length; i++) {
      low[i] = operator.applyAsDouble(low[i], high[i]);
    }
  }
}
