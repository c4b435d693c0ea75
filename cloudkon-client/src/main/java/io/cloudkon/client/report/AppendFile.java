package io.cloudkon.client.report;

import io.cloudkon.client.workload.WholeLines;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that only grows, and whose last line may have been cut off by a crash. Written
 * through a plain stream, not a channel: interrupting a writer must not close the file. Not thread
 * safe, except that {@link #sync} may run concurrently with {@link #write}.
 */
public final class AppendFile implements Closeable {
  private static final int CHUNK = 64 * 1024;

  /**
   * More than one, because {@link #isOpenElsewhere} of other processes holds a lock, too, and
   * several of them may look one after the other.
   */
  private static final int LOCK_TRIES = 5;

  /** Longer than such a process looks. */
  private static final long LOOK_NANOS = 50_000_000;

  private final Path path;
  private final FileOutputStream out;
  private final ReentrantLock syncing = new ReentrantLock();
  private final ReentrantLock reading = new ReentrantLock();
  private @Nullable RandomAccessFile back;
  private boolean closed;
  private volatile @Nullable UnwritableFolderException broken;

  private AppendFile(Path path, boolean append) throws IOException {
    this.path = path;
    this.out = new FileOutputStream(path.toFile(), append);
  }

  /** Creates an empty file, replacing an existing one. Its name is on disk when this returns. */
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

  /** Opens a file to continue after its first {@code length} bytes; cuts off the rest. */
  static AppendFile reopen(Path path, long length) {
    AppendFile file = reopen(path);
    file.cut(length);
    return file;
  }

  /**
   * Like {@link #create}, but also locks the file against other writers until this one closes it or
   * its process ends.
   *
   * @throws CloudKonException if somebody else has locked it
   */
  static AppendFile createAlone(Path path) {
    return HeldFiles.hold(path, () -> create(path));
  }

  /** Opens a file to continue at its end, and locks it like {@link #createAlone}. */
  static AppendFile reopenAlone(Path path) {
    return HeldFiles.hold(path, () -> reopen(path));
  }

  private static AppendFile reopen(Path path) {
    try {
      return new AppendFile(path, true);
    } catch (IOException e) {
      throw failed(path, "continue", e);
    }
  }

  /** Truncates the file to its first {@code length} bytes. */
  public void cut(long length) {
    try {
      out.getChannel().truncate(length);
    } catch (IOException e) {
      throw failed(path, "continue", e);
    }
  }

  /**
   * Reads the file; one reader at a time. What it reads with is closed with this file and not
   * earlier, because a process that closes any descriptor of a file releases its lock.
   *
   * @throws CloudKonException if it cannot be read, or is closed
   */
  <T> T read(Function<RandomAccessFile, T> reader) {
    reading.lock();
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      if (back == null) {
        back = new RandomAccessFile(path.toFile(), "r");
      }
      return reader.apply(back);
    } catch (IOException e) {
      throw failed(path, "read", e);
    } finally {
      reading.unlock();
    }
  }

  /** Locks the file against other processes, if the file system supports locks. */
  AppendFile alone() {
    return alone(() -> LockSupport.parkNanos(LOOK_NANOS));
  }

  /** Likewise with a pause before each further try. */
  AppendFile alone(Runnable pause) {
    try {
      for (int tries = 0; tries < LOCK_TRIES; tries++) {
        if (tries > 0) {
          pause.run();
        }
        if (out.getChannel().tryLock() != null) {
          return this;
        }
      }
    } catch (OverlappingFileLockException e) {
      // this process has it locked
    } catch (IOException e) {
      return this;
    }
    close();
    throw isHeld(path);
  }

  static CloudKonException isHeld(Path path) {
    return new CloudKonException(
        "%s is being written by another client process on this machine; end that process first (if it is stopped, with: kill -9)"
            .formatted(path));
  }

  /**
   * Whether a writer, in this process or another one, has the file locked. Several processes may
   * ask at the same time: each takes a shared lock, for which a reader's permission is enough.
   */
  static boolean isOpenElsewhere(Path path) {
    return HeldFiles.look(path, held -> true, () -> isLocked(path));
  }

  private static boolean isLocked(Path path) {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      return file.tryLock(0, Long.MAX_VALUE, true) == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false; // missing, not readable, or on a file system without locks
    }
  }

  /** The number of bytes in whole lines; a partial line that a crash left does not count. */
  static long lengthOfWholeLines(Path path) {
    try {
      return WholeLines.length(path);
    } catch (IOException e) {
      throw failed(path, "read", e);
    }
  }

  /**
   * Appends the first {@code length} bytes; they are on disk after the next {@link #sync}.
   *
   * @throws UnwritableFolderException if it cannot be written, now or before
   */
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

  /**
   * Returns when everything written so far is on disk. One thread at a time: the system reports an
   * error to one sync only, and another one beside it would seem to have succeeded.
   *
   * @throws UnwritableFolderException if it cannot be written, now or before
   */
  public void sync() {
    syncing.lock();
    try {
      checkWhole();
      out.getFD().sync();
    } catch (IOException e) {
      throw broken(e);
    } finally {
      syncing.unlock();
    }
  }

  /**
   * Marks the file as broken for good: after a failed write its end is unknown, and a second sync
   * would not report the error.
   */
  private UnwritableFolderException broken(IOException e) {
    UnwritableFolderException failure =
        new UnwritableFolderException(message(path, "write to", e), e);
    broken = failure;
    return failure;
  }

  private void checkWhole() {
    UnwritableFolderException failure = broken;
    if (failure != null) {
      // Not the same one: who closes the file after a failure would add it to itself.
      throw new UnwritableFolderException(String.valueOf(failure.getMessage()), failure);
    }
  }

  @Override
  public void close() {
    reading.lock();
    try (RandomAccessFile also = back) {
      closed = true;
      out.close();
    } catch (IOException e) {
      throw failed(path, "close", e);
    } finally {
      reading.unlock();
      HeldFiles.closed(this);
    }
  }

  /**
   * Syncs the folder of a new file, so that its name is on disk, if the file system supports that.
   */
  static void syncFolder(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    syncFile(folder);
  }

  /**
   * Syncs a file that another stream has written. An interrupt does not keep it from that: the
   * channel that it closes is opened again, and the thread stays interrupted.
   */
  static void syncFile(Path path) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static CloudKonException failed(Path path, String verb, IOException e) {
    return new LocalFileException(message(path, verb, e), e);
  }

  private static String message(Path path, String verb, IOException e) {
    return "cannot %s %s: %s; check that its disk has space and is writable"
        .formatted(verb, path, e.getMessage());
  }
}
