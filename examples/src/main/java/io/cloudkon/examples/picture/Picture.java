package io.cloudkon.examples.picture;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.examples.mandelbrot.TileAnswer;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** A picture that grows by tiles, in any order. Not thread safe. */
public final class Picture {
  private final BitSet covered = new BitSet();
  private @Nullable BufferedImage image;
  private int tiles;

  static {
    // Nothing is shown on a screen, and none may be there.
    System.setProperty("java.awt.headless", "true");
  }

  /**
   * Joins the tiles of a run.
   *
   * @throws UsageException if a task did not succeed, an answer is no tile, or tiles do not fit
   *     together
   */
  public static Picture join(Path results) {
    Picture picture = new Picture();
    Results.forEach(results, line -> picture.add(results, line));
    return picture;
  }

  private void add(Path results, JsonNode line) {
    String task = line.path("task").asText();
    if (!line.path("status").asText().equals("SUCCEEDED")) {
      throw new UsageException(
          "%s: task %s %s; its tile is missing"
              .formatted(results, task, line.path("status").asText()));
    }
    try {
      add(TileAnswer.of(line.path("output").binaryValue()));
    } catch (IOException | NullPointerException | IllegalArgumentException e) {
      throw new UsageException(
          "%s: task %s: %s; expected the answer of a mandelbrot-tile"
              .formatted(results, task, e.getMessage()),
          e);
    }
  }

  /**
   * Puts a tile in its place.
   *
   * @throws IllegalArgumentException if it is of another picture, or overlaps another tile
   */
  public void add(TileAnswer tile) {
    BufferedImage whole = image;
    if (whole == null) {
      whole =
          new BufferedImage(tile.pictureWidth(), tile.pictureHeight(), BufferedImage.TYPE_INT_RGB);
      image = whole;
    }
    if (tile.pictureWidth() != whole.getWidth() || tile.pictureHeight() != whole.getHeight()) {
      throw new IllegalArgumentException(
          "a tile of another picture, %d x %d instead of %d x %d"
              .formatted(
                  tile.pictureWidth(), tile.pictureHeight(), whole.getWidth(), whole.getHeight()));
    }
    for (int row = tile.y(); row < tile.y() + tile.height(); row++) {
      int from = row * whole.getWidth() + tile.x();
      int overlap = covered.nextSetBit(from);
      if (overlap >= 0 && overlap < from + tile.width()) {
        throw new IllegalArgumentException(
            "the tile at %d, %d overlaps another".formatted(tile.x(), tile.y()));
      }
      covered.set(from, from + tile.width());
    }
    whole.setRGB(tile.x(), tile.y(), tile.width(), tile.height(), tile.pixels(), 0, tile.width());
    tiles++;
  }

  /** How many tiles there are. */
  public int tiles() {
    return tiles;
  }

  /** How many pixels no tile has covered; all of an unknown number, told as 1, without a tile. */
  public long missing() {
    return image == null ? 1 : (long) image.getWidth() * image.getHeight() - covered.cardinality();
  }

  /**
   * Writes it as a PNG.
   *
   * @throws UsageException if pixels are missing
   * @throws CloudKonException if the file cannot be written
   */
  public void write(Path png) {
    BufferedImage whole = image;
    if (whole == null || missing() > 0) {
      throw new UsageException(
          "the picture is not complete: %s after %d tiles"
              .formatted(
                  whole == null ? "there is nothing" : missing() + " pixels missing", tiles));
    }
    try {
      Path folder = png.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      if (!ImageIO.write(whole, "png", png.toFile())) {
        throw new IOException("this Java writes no PNG");
      }
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be written: %s".formatted(png, e.getMessage()), e);
    }
  }
}
