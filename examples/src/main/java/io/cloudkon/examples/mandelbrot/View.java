package io.cloudkon.examples.mandelbrot;

/**
 * The part of the plane that a picture shows.
 *
 * @param centreX real part of the number in its middle
 * @param centreY imaginary part of it
 * @param span how much of the real axis its width covers
 * @param iterations after how many a point counts as inside the set
 * @param width of the picture in pixels
 * @param height of the picture in pixels
 */
public record View(
    double centreX, double centreY, double span, int iterations, int width, int height) {
  /** The widest and highest picture. */
  public static final int MAX_PIXELS = 32_767;

  public View {
    if (!(span > 0) || !Double.isFinite(span + centreX + centreY)) {
      throw new IllegalArgumentException("the span must be above 0, not " + span);
    }
    if (iterations < 1) {
      throw new IllegalArgumentException("iterations must be 1 or more, not " + iterations);
    }
    if (width < 1 || height < 1 || width > MAX_PIXELS || height > MAX_PIXELS) {
      throw new IllegalArgumentException(
          "a picture has 1 to %d pixels a side, not %d x %d".formatted(MAX_PIXELS, width, height));
    }
  }

  /** The real part at a column, which may lie between two. */
  double realAt(double column) {
    return centreX + (column / width - 0.5) * span;
  }

  /** The imaginary part at a row; pixels are square, and rows count downwards. */
  double imaginaryAt(double row) {
    return centreY - (row - height / 2.0) * (span / width);
  }
}
