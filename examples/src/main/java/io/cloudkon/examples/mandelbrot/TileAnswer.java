package io.cloudkon.examples.mandelbrot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The answer of a tile's task: the place of the tile, and its pixels, compressed. It says by itself
 * how large the whole picture is, so that nothing but the answers is needed to join them.
 *
 * @param pictureWidth the whole picture's columns
 * @param pictureHeight the whole picture's rows
 * @param x the tile's left column
 * @param y the tile's upper row
 * @param width the tile's columns
 * @param height the tile's rows
 * @param pixels row by row, as 0xRRGGBB
 */
public record TileAnswer(
    int pictureWidth, int pictureHeight, int x, int y, int width, int height, int[] pixels) {
  private static final int MAGIC = 0x43_4B_54_31; // CKT1

  /** Computes a tile. */
  public static TileAnswer compute(Tile tile) throws InterruptedException {
    return new TileAnswer(
        tile.view().width(),
        tile.view().height(),
        tile.x(),
        tile.y(),
        tile.width(),
        tile.height(),
        Mandelbrot.pixels(tile));
  }

  /** Header, then the pixels: each channel as its difference from the pixel before, deflated. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      for (int number : new int[] {pictureWidth, pictureHeight, x, y, width, height}) {
        out.writeShort(number);
      }
      try (DeflaterOutputStream packed = new DeflaterOutputStream(out, deflater)) {
        packed.write(differences());
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written to", e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IOException if this is no tile, or not a whole one
   */
  public static TileAnswer of(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    if (bytes.length < 16 || in.readInt() != MAGIC) {
      throw new IOException("this is not the answer of a tile");
    }
    int[] header = new int[6];
    for (int i = 0; i < header.length; i++) {
      header[i] = in.readUnsignedShort();
    }
    int count = header[4] * header[5];
    byte[] differences = new InflaterInputStream(in).readNBytes(3 * count);
    if (differences.length != 3 * count) {
      throw new IOException("the answer of the tile is cut");
    }
    int[] pixels = pixels(differences, count);
    return new TileAnswer(header[0], header[1], header[2], header[3], header[4], header[5], pixels);
  }

  private byte[] differences() {
    byte[] differences = new byte[3 * pixels.length];
    int before = 0;
    for (int i = 0; i < pixels.length; i++) {
      for (int channel = 0; channel < 3; channel++) {
        int shift = 16 - 8 * channel;
        differences[3 * i + channel] = (byte) ((pixels[i] >> shift) - (before >> shift));
      }
      before = pixels[i];
    }
    return differences;
  }

  private static int[] pixels(byte[] differences, int count) {
    int[] pixels = new int[count];
    int[] channels = new int[3];
    for (int i = 0; i < count; i++) {
      for (int channel = 0; channel < 3; channel++) {
        channels[channel] = (channels[channel] + differences[3 * i + channel]) & 0xFF;
      }
      pixels[i] = channels[0] << 16 | channels[1] << 8 | channels[2];
    }
    return pixels;
  }
}
