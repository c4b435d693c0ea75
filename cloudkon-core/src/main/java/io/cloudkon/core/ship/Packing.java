package io.cloudkon.core.ship;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Writes one archive. */
final class Packing implements TreeWalk.Visitor, Closeable {
  static final int BLOCK = 256 * 1024;

  private final FastGzip gzip;
  private final BufferedOutputStream records;
  private final TarArchiveOutputStream tar;
  private final byte[] block = new byte[BLOCK];

  Packing(OutputStream out) throws IOException {
    gzip = new FastGzip(out);
    // The archive comes in records of 512 bytes, each too little to compress by itself.
    records = new BufferedOutputStream(gzip, BLOCK);
    tar = new TarArchiveOutputStream(records, StandardCharsets.UTF_8.name());
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
  }

  @Override
  public void visit(Node node) throws IOException {
    switch (node) {
      case Node.Folder folder -> {
        put(entry(folder.name() + '/', TarConstants.LF_DIR, OwnerMode.ALL));
        tar.closeArchiveEntry();
      }
      case Node.Link link -> {
        TarArchiveEntry entry = entry(link.name(), TarConstants.LF_SYMLINK, OwnerMode.ALL);
        entry.setLinkName(link.target());
        put(entry);
        tar.closeArchiveEntry();
      }
      case Node.File file -> {
        begin(file.name(), file.size(), file.mode());
        copy(file);
        tar.closeArchiveEntry();
      }
    }
  }

  /**
   * Writes a file; false if the input did not have exactly this size, and the archive is then
   * unusable.
   *
   * @param shown its name in messages
   */
  boolean file(String name, long size, int mode, InputStream in, String shown) throws IOException {
    begin(name, size, mode);
    boolean whole = copy(in, size, shown);
    if (whole) {
      tar.closeArchiveEntry();
    }
    return whole;
  }

  private void begin(String name, long size, int mode) throws IOException {
    TarArchiveEntry entry = entry(name, TarConstants.LF_NORMAL, mode);
    entry.setSize(size);
    put(entry);
  }

  private static TarArchiveEntry entry(String name, byte kind, int mode) {
    TarArchiveEntry entry = new TarArchiveEntry(name, kind);
    entry.setMode(mode);
    entry.setModTime(0);
    entry.setIds(0, 0);
    entry.setNames("", "");
    return entry;
  }

  private void put(TarArchiveEntry entry) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while packing " + entry.getName());
    }
    tar.putArchiveEntry(entry);
  }

  private void copy(Node.File file) throws IOException {
    try (InputStream in = Files.newInputStream(file.path())) {
      if (!copy(in, file.size(), file.shown().toString())
          || Files.getLastModifiedTime(file.path()).toMillis() != file.modified()) {
        throw new IOException(
            "%s: changed while it was packed; expected it to stay as it is until it is sent"
                .formatted(file.shown()));
      }
    }
  }

  private boolean copy(InputStream in, long size, String shown) throws IOException {
    long left = size;
    int read = in.read(block);
    while (read >= 0 && read <= left) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while packing " + shown);
      }
      tar.write(block, 0, read);
      left -= read;
      read = in.read(block);
    }
    return read < 0 && left == 0;
  }

  /** Writes the end. */
  void finish() throws IOException {
    tar.finish();
    records.flush();
    gzip.finish();
    gzip.flush();
  }

  /** Releases only the compressor: an unfinished archive stays truncated. */
  @Override
  public void close() {
    gzip.release();
  }

  /**
   * Compression level 1, because much of the shipped content is data for a bucket in the same
   * region.
   */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BLOCK);
      def.setLevel(Deflater.BEST_SPEED);
    }

    void release() {
      def.end();
    }
  }
}
