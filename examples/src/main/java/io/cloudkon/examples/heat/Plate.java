package io.cloudkon.examples.heat;

/**
 * A metal plate: where its temperature is held, by its cold edge, two heaters and a pipe of cold
 * water. Temperatures are from 0 to 1. Immutable.
 *
 * @param width its columns, 3 or more
 * @param height its rows, 3 or more
 */
public record Plate(int width, int height) {
  private static final int MOST = 32_767;

  public Plate {
    if (width < 3 || height < 3 || width > MOST || height > MOST) {
      throw new IllegalArgumentException(
          "a plate has 3 to %d cells a side, not %d x %d".formatted(MOST, width, height));
    }
  }

  /** The temperature at which a cell is held; NaN where it is free. */
  double heldAt(int x, int y) {
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
      return 0;
    }
    double across = (double) x / width;
    double down = (double) y / height;
    if (disc(across, down, 0.3, 0.35, 0.09) || bar(across, down)) {
      return 1;
    }
    return disc(across, down, 0.62, 0.4, 0.06) ? 0 : Double.NaN;
  }

  /** Round, whatever the plate's shape: the radius is a part of its width. */
  private boolean disc(double across, double down, double atX, double atY, double radius) {
    return Math.hypot(across - atX, (down - atY) * height / width) < radius;
  }

  private static boolean bar(double across, double down) {
    return across > 0.5 && across < 0.86 && down > 0.72 && down < 0.77;
  }
}
