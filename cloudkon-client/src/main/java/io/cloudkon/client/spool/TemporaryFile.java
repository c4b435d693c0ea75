package io.cloudkon.client.spool;

import io.cloudkon.client.report.AppendFile;
import io.cloudkon.core.error.CloudKonException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary file that is written at its end and read anywhere. Its name is removed as soon as it
 * is open, so that nothing of it remains however this process ends; a system that cannot do that
 * keeps the name until the file is closed. Reading is thread safe.
 */
final class TemporaryFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporaryFile.class);

  private final Path path;
  private final AppendFile out;

  /** Not a channel: interrupting one reader would close it for all of them. */
  private final RandomAccessFile in;

  private final ReentrantLock reading = new ReentrantLock();

  private TemporaryFile(Path path, AppendFile out, RandomAccessFile in) {
    this.path = path;
    this.out = out;
    this.in = in;
  }

  /**
   * Creates an empty file in the folder for temporary files.
   *
   * @throws CloudKonException if there is no room for it
   */
  static TemporaryFile create() throws IOException {
    Path path = Files.createTempFile("cloudkon-tasks-", ".jsonl");
    AppendFile out = null;
    TemporaryFile file = null;
    try {
      out = AppendFile.create(path);
      file = new TemporaryFile(path, out, new RandomAccessFile(path.toFile(), "r"));
      return file;
    } finally {
      if (file == null && out != null) {
        out.close();
      }
      remove(path);
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.debug("{} cannot be removed while it is open: {}", path, e.getMessage());
    }
  }

  /** The path that it has or had. */
  Path path() {
    return path;
  }

  /** The file for writing; closed with this one. */
  AppendFile out() {
    return out;
  }

  /** A stream of the bytes from this offset on, up to what is written when it is read. */
  InputStream from(long offset) {
    return new Part(offset);
  }

  private int read(long offset, byte[] bytes, int from, int length) throws IOException {
    reading.lock();
    try {
      in.seek(offset);
      return in.read(bytes, from, length);
    } finally {
      reading.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    try (in) {
      out.close();
    } finally {
      remove(path);
    }
  }

  private final class Part extends InputStream {
    private long offset;

    Part(long offset) {
      this.offset = offset;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      Objects.checkFromIndexSize(from, length, bytes.length);
      int count = TemporaryFile.this.read(offset, bytes, from, length);
      offset += Math.max(0, count);
      return count;
    }
  }
}
