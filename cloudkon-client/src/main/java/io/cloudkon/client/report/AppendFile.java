package io.cloudkon.client.report;

import io.cloudkon.client.workload.WholeLines;
import io.cloudkon.core.error.CloudKonException;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that only grows, and whose last line may have been cut off by a crash. Written
 * through a plain stream, not a channel: interrupting a writer must not close the file. Not thread
 * safe, except that {@link #sync} may run beside {@link #write}.
 */
public final class AppendFile implements Closeable {
  private static final int CHUNK = 64 * 1024;

  private final Path path;
  private final FileOutputStream out;
  private @Nullable RandomAccessFile back;
  private volatile @Nullable CloudKonException broken;

  private AppendFile(Path path, boolean append) throws IOException {
    this.path = path;
    this.out = new FileOutputStream(path.toFile(), append);
  }

  /**
   * An empty file, in the place of one that may be there; its name is on disk when this returns.
   */
  public static AppendFile create(Path path) {
    try {
      AppendFile file = new AppendFile(path, false);
      file.sync();
      syncFolder(path);
      return file;
    } catch (IOException e) {
      throw failed(path, "create", e);
    }
  }

  /** Goes on behind the first {@code length} bytes; what is behind them is cut off. */
  static AppendFile reopen(Path path, long length) {
    AppendFile file = reopen(path);
    file.cut(length);
    return file;
  }

  /**
   * Goes on behind all that is there, and other processes cannot do it until this one closes the
   * file or has ended, however.
   *
   * @throws CloudKonException if another process has it open so
   */
  static AppendFile reopenAlone(Path path) {
    return reopen(path).alone();
  }

  private static AppendFile reopen(Path path) {
    try {
      return new AppendFile(path, true);
    } catch (IOException e) {
      throw failed(path, "continue", e);
    }
  }

  /** Cuts off what is behind the first {@code length} bytes. */
  public void cut(long length) {
    try {
      out.getChannel().truncate(length);
    } catch (IOException e) {
      throw failed(path, "continue", e);
    }
  }

  /**
   * What stands in it. Closed with this file, and not before: a process that closes any descriptor
   * of a file lets go of its lock.
   */
  RandomAccessFile back() {
    try {
      if (back == null) {
        back = new RandomAccessFile(path.toFile(), "r");
      }
      return back;
    } catch (IOException e) {
      throw failed(path, "read", e);
    }
  }

  /** Keeps other processes from opening it alone, where the file system knows locks. */
  AppendFile alone() {
    try {
      if (out.getChannel().tryLock() != null) {
        return this;
      }
    } catch (OverlappingFileLockException e) {
      // this very process has it open
    } catch (IOException e) {
      return this;
    }
    close();
    throw new CloudKonException(
        "%s is being written by another client process on this machine; end that one first (a stopped one by: kill -9)"
            .formatted(path));
  }

  /** Whether another process has it open alone. */
  static boolean isOpenElsewhere(Path path) {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      return file.tryLock() == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false; // not there, not ours to write, or on a file system without locks
    }
  }

  /** How many bytes whole lines take; what a crash left behind the last line end does not count. */
  static long lengthOfWholeLines(Path path) {
    try {
      return WholeLines.length(path);
    } catch (IOException e) {
      throw failed(path, "read", e);
    }
  }

  /** Appends the first bytes; they are on disk after the next {@link #sync}. */
  public void write(byte[] bytes, int length) {
    checkWhole();
    try {
      for (int done = 0; done < length; done += CHUNK) {
        out.write(bytes, done, Math.min(CHUNK, length - done));
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Returns when all that was written is on disk. */
  public void sync() {
    checkWhole();
    try {
      out.getFD().sync();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * Once a write failed nobody knows what the file ends with, and a second sync would not tell: it
   * stays broken.
   */
  private CloudKonException broken(IOException e) {
    CloudKonException failure = failed(path, "write to", e);
    broken = failure;
    return failure;
  }

  private void checkWhole() {
    CloudKonException failure = broken;
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    try (RandomAccessFile also = back) {
      out.close();
    } catch (IOException e) {
      throw failed(path, "close", e);
    }
  }

  /** Puts a new name on disk as well, where the file system has folders that can be synced. */
  static void syncFolder(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static CloudKonException failed(Path path, String verb, IOException e) {
    return new CloudKonException(
        "cannot %s %s: %s; see that its disk has room and may be written to"
            .formatted(verb, path, e.getMessage()),
        e);
  }
}
