package io.cloudkon.examples.picture;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.examples.mandelbrot.Tile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A text workload of {@code java mandelbrot-tile} lines. */
public final class TileFile {
  private static final String START = "java mandelbrot-tile ";

  private TileFile() {}

  /**
   * Its tiles, in the order of their lines.
   *
   * @throws UsageException if it cannot be read, or holds anything else
   */
  public static List<Tile> read(Path workload) {
    List<Tile> tiles = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(workload)) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        if (!line.startsWith(START)) {
          throw new IllegalArgumentException("a line does not start with '%s'".formatted(START));
        }
        tiles.add(Tile.of(Arrays.asList(line.substring(START.length()).strip().split(" +"))));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "%s cannot be read as tiles: %s".formatted(workload, e.getMessage()), e);
    }
    return tiles;
  }
}
