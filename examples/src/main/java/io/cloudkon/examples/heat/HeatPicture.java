package io.cloudkon.examples.heat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Paints temperatures: from dark blue by red to light yellow, with a line at every tenth. */
final class HeatPicture {
  private static final double[][] SCALE = {
    {10, 12, 48}, {70, 20, 110}, {178, 30, 88}, {236, 92, 36}, {252, 184, 62}, {255, 248, 214}
  };
  private static final int LINES = 10;
  private static final double LINE_SHADE = 0.72;

  private HeatPicture() {}

  /**
   * Writes a PNG, a pixel for each cell.
   *
   * @param bands the plate's rows from the first on, as many in each as there are
   */
  static void write(Plate plate, List<byte[]> bands, Path png) throws IOException {
    double[][] cells = new double[plate.height()][plate.width()];
    int row = 0;
    for (byte[] band : bands) {
      DoubleBuffer rows = ByteBuffer.wrap(band).asDoubleBuffer();
      while (rows.hasRemaining()) {
        rows.get(cells[row++]);
      }
    }
    BufferedImage image =
        new BufferedImage(plate.width(), plate.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < plate.height(); y++) {
      for (int x = 0; x < plate.width(); x++) {
        image.setRGB(x, y, colour(cells[y][x], onLine(cells, x, y) ? LINE_SHADE : 1));
      }
    }
    Path folder = png.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    if (!ImageIO.write(image, "png", png.toFile())) {
      throw new IOException("this Java writes no PNG");
    }
  }

  /** Whether a tenth lies between a cell and the next one, to the right or below. */
  private static boolean onLine(double[][] cells, int x, int y) {
    int right = Math.min(x + 1, cells[y].length - 1);
    int below = Math.min(y + 1, cells.length - 1);
    int tenth = tenth(cells[y][x]);
    return tenth != tenth(cells[y][right]) || tenth != tenth(cells[below][x]);
  }

  private static int tenth(double temperature) {
    return (int) (temperature * LINES);
  }

  private static int colour(double temperature, double shade) {
    double place = Math.clamp(temperature, 0.0, 1.0) * (SCALE.length - 1);
    int before = Math.min((int) place, SCALE.length - 2);
    double share = place - before;
    int rgb = 0;
    for (int channel = 0; channel < 3; channel++) {
      double from = SCALE[before][channel];
      double value = from + share * (SCALE[before + 1][channel] - from);
      rgb = rgb << 8 | (int) Math.round(value * shade);
    }
    return rgb;
  }
}
