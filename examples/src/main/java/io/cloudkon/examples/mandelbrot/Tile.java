package io.cloudkon.examples.mandelbrot;

import java.util.List;

/**
 * A rectangle of a picture.
 *
 * @param view the picture
 * @param x its left column
 * @param y its upper row
 * @param width its columns
 * @param height its rows
 */
public record Tile(View view, int x, int y, int width, int height) {
  private static final String ARGUMENTS =
      "CENTRE-X CENTRE-Y SPAN ITERATIONS PICTURE-WIDTH PICTURE-HEIGHT X Y WIDTH HEIGHT";

  public Tile {
    if (x < 0
        || y < 0
        || width < 1
        || height < 1
        || x + width > view.width()
        || y + height > view.height()) {
      throw new IllegalArgumentException(
          "the tile %d x %d at %d, %d does not lie in a picture of %d x %d"
              .formatted(width, height, x, y, view.width(), view.height()));
    }
  }

  /**
   * From a task's arguments.
   *
   * @throws IllegalArgumentException saying which arguments were expected
   */
  public static Tile of(List<String> args) {
    if (args.size() != 10) {
      throw new IllegalArgumentException(
          "expected 10 arguments, %s; there are %d".formatted(ARGUMENTS, args.size()));
    }
    View view =
        new View(
            decimal(args.get(0)),
            decimal(args.get(1)),
            decimal(args.get(2)),
            whole(args.get(3)),
            whole(args.get(4)),
            whole(args.get(5)));
    return new Tile(
        view, whole(args.get(6)), whole(args.get(7)), whole(args.get(8)), whole(args.get(9)));
  }

  private static double decimal(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'%s' is no number".formatted(text), e);
    }
  }

  private static int whole(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'%s' is no whole number".formatted(text), e);
    }
  }
}
