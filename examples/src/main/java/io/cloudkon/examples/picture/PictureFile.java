package io.cloudkon.examples.picture;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.examples.mandelbrot.Mandelbrot;
import io.cloudkon.examples.mandelbrot.Tile;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** A picture as it was written to disk. */
public final class PictureFile {
  private final BufferedImage image;

  private PictureFile(BufferedImage image) {
    this.image = image;
  }

  /**
   * Reads it back.
   *
   * @throws CloudKonException if it is no picture
   */
  public static PictureFile read(Path png) {
    try {
      @Nullable BufferedImage image = ImageIO.read(png.toFile());
      if (image == null) {
        throw new IOException("this is no picture");
      }
      return new PictureFile(image);
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be read: %s".formatted(png, e.getMessage()), e);
    }
  }

  /** Its columns. */
  public int width() {
    return image.getWidth();
  }

  /** Its rows. */
  public int height() {
    return image.getHeight();
  }

  /** Whether it shows the tile as this process computes it: compares checksums of the pixels. */
  public boolean shows(Tile tile) throws InterruptedException {
    if (width() != tile.view().width() || height() != tile.view().height()) {
      return false;
    }
    int[] there =
        image.getRGB(tile.x(), tile.y(), tile.width(), tile.height(), null, 0, tile.width());
    return checksum(there) == checksum(Mandelbrot.pixels(tile));
  }

  private static long checksum(int[] pixels) {
    CRC32C crc = new CRC32C();
    for (int pixel : pixels) {
      crc.update(pixel >> 16 & 0xFF);
      crc.update(pixel >> 8 & 0xFF);
      crc.update(pixel & 0xFF);
    }
    return crc.getValue();
  }
}
