package io.cloudkon.core.ship;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Writes some files of a folder as one archive, which {@link Tree#unpack} reads. Not thread safe;
 * must be closed. An archive that is not {@linkplain #finish finished} cannot be read.
 */
public final class FileArchive implements Closeable {
  private final Packing packing;

  /**
   * An archive without files.
   *
   * @param out left open
   */
  public FileArchive(OutputStream out) throws IOException {
    this.packing = new Packing(out);
  }

  /**
   * Adds a file.
   *
   * @param name its path from the folder, with slashes
   * @param mode its owner's permissions, such as {@code 0600}
   * @return false if the input did not have exactly this size; the archive is then unusable
   * @throws java.io.InterruptedIOException if the thread was interrupted; its flag stays set
   */
  public boolean add(String name, long size, int mode, InputStream in) throws IOException {
    return packing.file(name, size, mode, in, name);
  }

  /** Writes the end. */
  public void finish() throws IOException {
    packing.finish();
  }

  @Override
  public void close() {
    packing.close();
  }
}
