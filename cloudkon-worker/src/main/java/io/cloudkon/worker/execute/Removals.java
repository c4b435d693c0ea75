package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the mounted directories of commands that have ended, in one background thread: the kernel
 * makes an unmount wait for 1 to 6 ms, in which the slot can run its next command. Only small
 * directories wait for that thread, and only a few at a time; all others are removed by their slot,
 * so that what commands leave behind never fills the disk while further commands start. Thread
 * safe.
 */
final class Removals implements AutoCloseable {
  /** How many directories may wait. */
  private static final int MOST_WAITING = 8;

  /** The maximum number of bytes in a small directory, 1 MiB. */
  private static final long SMALL_BYTES = 1 << 20;

  /** The maximum number of files and folders in a small directory, its own folder included. */
  private static final int SMALL_ENTRIES = 16;

  private static final int IDLE_SECONDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger(Removals.class);

  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final ExecutorService background;

  /** Starts its thread with the first removal. */
  Removals() {
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("cloudkon-removal-", 1).daemon().factory());
    one.allowCoreThreadTimeOut(true);
    background = one;
  }

  /**
   * Removes a directory: soon if it is small and few others wait, else before this returns, which
   * is also so without a thread to spare and after {@link #close}.
   */
  void remove(Overlays.Directory directory) {
    if (!isSmall(directory.changes()) || !handedOver(directory)) {
      directory.remove();
    }
  }

  /** Hands a directory to the background thread; false if it cannot take it. */
  private boolean handedOver(Overlays.Directory directory) {
    if (!room.tryAcquire()) {
      return false;
    }
    try {
      background.execute(() -> {
        try {
          directory.remove();
        } finally {
          room.release();
        }
      });
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.debug("no thread for a removal, which its slot does: {}", e.toString());
      room.release();
      return false;
    }
  }

  private static boolean isSmall(Path changes) {
    Extent extent = new Extent();
    try {
      Files.walkFileTree(changes, extent);
      return extent.isSmall();
    } catch (IOException e) {
      return false;
    }
  }

  /** Adds up files until they are not small any more. */
  private static final class Extent extends SimpleFileVisitor<Path> {
    private int entries;
    private long bytes;

    boolean isSmall() {
      return entries <= SMALL_ENTRIES && bytes <= SMALL_BYTES;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
      entries++;
      return isSmall() ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      entries++;
      bytes += attributes.size();
      return isSmall() ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }
  }

  /** Waits until every directory is removed. */
  @Override
  public void close() {
    background.close();
  }
}
