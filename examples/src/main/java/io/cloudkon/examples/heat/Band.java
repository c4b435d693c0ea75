package io.cloudkon.examples.heat;

import java.nio.ByteBuffer;

/**
 * The rows of a plate that one rank computes, and beside them a row of each neighbour. For one
 * thread.
 */
final class Band {
  private final int width;
  private final int rows;

  /** Temperatures that stay, row by row; NaN where a cell is free. */
  private final double[][] held;

  /** With the neighbours' rows before the first and behind the last. */
  private double[][] now;

  private double[][] next;

  /**
   * Cold where it is free.
   *
   * @param from its first row of the plate
   * @param to behind its last
   */
  Band(Plate plate, int from, int to) {
    width = plate.width();
    rows = to - from;
    held = new double[rows][width];
    now = new double[rows + 2][width];
    next = new double[rows + 2][width];
    for (int row = 0; row < rows; row++) {
      for (int x = 0; x < width; x++) {
        double fixed = plate.heldAt(x, from + row);
        held[row][x] = fixed;
        if (!Double.isNaN(fixed)) {
          now[row + 1][x] = fixed;
          next[row + 1][x] = fixed;
        }
      }
    }
  }

  /** The first row that a rank computes of so many; that of the next rank is behind its last. */
  static int firstRow(int height, int rank, int size) {
    return (int) ((long) height * rank / size);
  }

  /** The first row, which the neighbour above needs. */
  byte[] firstRow() {
    return bytes(now[1]);
  }

  /** The last row, which the neighbour below needs. */
  byte[] lastRow() {
    return bytes(now[rows]);
  }

  /** The neighbour's last row. */
  void above(byte[] row) {
    ByteBuffer.wrap(row).asDoubleBuffer().get(now[0]);
  }

  /** The neighbour's first row. */
  void below(byte[] row) {
    ByteBuffer.wrap(row).asDoubleBuffer().get(now[rows + 1]);
  }

  /**
   * One step of Jacobi's: each free cell becomes the mean of its four neighbours, as they were
   * before.
   *
   * @return by how much a cell changed at most
   */
  double step() {
    double most = 0;
    for (int row = 1; row <= rows; row++) {
      double[] fixed = held[row - 1];
      double[] old = now[row];
      double[] above = now[row - 1];
      double[] below = now[row + 1];
      double[] fresh = next[row];
      for (int x = 1; x < width - 1; x++) {
        if (Double.isNaN(fixed[x])) {
          double mean = (old[x - 1] + old[x + 1] + above[x] + below[x]) / 4;
          most = Math.max(most, Math.abs(mean - old[x]));
          fresh[x] = mean;
        }
      }
    }
    double[][] before = now;
    now = next;
    next = before;
    return most;
  }

  /** Its own rows, one behind the other. */
  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(rows * width * Double.BYTES);
    for (int row = 1; row <= rows; row++) {
      bytes.put(bytes(now[row]));
    }
    return bytes.array();
  }

  private static byte[] bytes(double[] row) {
    ByteBuffer bytes = ByteBuffer.allocate(row.length * Double.BYTES);
    bytes.asDoubleBuffer().put(row);
    return bytes.array();
  }
}
