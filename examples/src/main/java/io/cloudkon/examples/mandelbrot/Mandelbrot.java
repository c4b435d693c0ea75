package io.cloudkon.examples.mandelbrot;

/**
 * Computes tiles. The same tile has the same pixels on every machine: Java's arithmetic is strict,
 * and {@link StrictMath} stands where {@link Math} might differ. Stateless and thread safe.
 */
public final class Mandelbrot {
  /** Points a side that make up one pixel. */
  private static final int SAMPLES = 2;

  /** The square of the distance at which a point has left; far out, so that colours blend. */
  private static final double FAR = 1 << 16;

  private static final double LOG_2 = StrictMath.log(2);

  private Mandelbrot() {}

  /**
   * The tile's pixels, row by row, as 0xRRGGBB.
   *
   * @throws InterruptedException if the thread was interrupted; it is looked for once a row
   */
  public static int[] pixels(Tile tile) throws InterruptedException {
    int[] pixels = new int[tile.width() * tile.height()];
    for (int row = 0; row < tile.height(); row++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted at row %d of the tile".formatted(row));
      }
      for (int column = 0; column < tile.width(); column++) {
        pixels[row * tile.width() + column] = pixel(tile.view(), tile.x() + column, tile.y() + row);
      }
    }
    return pixels;
  }

  private static int pixel(View view, int column, int row) {
    double[] sum = new double[3];
    for (int i = 0; i < SAMPLES; i++) {
      double y = view.imaginaryAt(row + (i + 0.5) / SAMPLES);
      for (int j = 0; j < SAMPLES; j++) {
        double x = view.realAt(column + (j + 0.5) / SAMPLES);
        Palette.add(escape(x, y, view.iterations()), sum);
      }
    }
    int rgb = 0;
    for (double channel : sum) {
      rgb = rgb << 8 | (int) (channel / (SAMPLES * SAMPLES) + 0.5);
    }
    return rgb;
  }

  /** After how many iterations of z := z*z + c the point leaves; -1 if it does not. */
  static double escape(double real, double imaginary, int iterations) {
    double x = 0;
    double y = 0;
    double xx = 0;
    double yy = 0;
    for (int n = 0; n < iterations; n++) {
      y = 2 * x * y + imaginary;
      x = xx - yy + real;
      xx = x * x;
      yy = y * y;
      if (xx + yy > FAR) {
        double beyond = StrictMath.log(StrictMath.log(xx + yy) / StrictMath.log(FAR)) / LOG_2;
        return Math.max(0, n + 1 - beyond);
      }
    }
    return -1;
  }
}
