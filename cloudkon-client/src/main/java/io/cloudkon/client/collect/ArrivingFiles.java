package io.cloudkon.client.collect;

import io.cloudkon.client.report.FilesFolder;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.time.TimeSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * Downloads the files that tasks left for their client from the blob store to the run's folder,
 * before their results are sorted. If a task's result arrives twice, the second copy's files are
 * discarded. Takes one call for each result that has files and is not known yet. Thread safe.
 */
final class ArrivingFiles {
  /** The number of tries before the message is left in its queue, from which it returns later. */
  private static final int TRIES = 4;

  private static final long SLOW_NANOS = 1_000_000_000;

  private final RunBlobs blobs;
  private final String run;
  private final CollectRule limits;
  private final Optional<FilesFolder> folder;
  private final IntPredicate known;
  private final RefusedResults refused;
  private final TimeSource time;
  private final KeysUnderWay underWay = new KeysUnderWay();
  private final BackOff backOff = new BackOff(50, 1_000, new Random());
  private final CountDownLatch never = new CountDownLatch(1);

  /** Thrown while another thread has a message with the same files in hand. */
  static final class UnderWayException extends CloudKonException {
    private static final long serialVersionUID = 1L;

    UnderWayException(String bundle) {
      super("files of bundle %s are being fetched already".formatted(bundle));
    }
  }

  /**
   * Fetches nothing yet.
   *
   * @param limits the limits on what one task may bring back
   * @param folder the folder for the files; empty if they are not wanted
   * @param known whether a task has its final result
   */
  ArrivingFiles(
      RunBlobs blobs,
      String run,
      CollectRule limits,
      Optional<FilesFolder> folder,
      IntPredicate known,
      TimeSource time) {
    this.blobs = blobs;
    this.run = run;
    this.limits = limits;
    this.folder = folder;
    this.known = known;
    this.refused = new RefusedResults(time);
    this.time = time;
  }

  /**
   * A message whose files have arrived, each task's in a folder that is not visible yet. Closing it
   * removes the files that were not {@linkplain #keep kept}. Used by one thread.
   */
  final class Arrival implements AutoCloseable {
    private final Map<Integer, Path> folders;
    private final ResultBatch batch;
    private final List<String> keys;
    private final boolean slow;

    private Arrival(
        ResultBatch batch, Map<Integer, Path> folders, List<String> keys, boolean slow) {
      this.batch = batch;
      this.folders = folders;
      this.keys = keys;
      this.slow = slow;
    }

    ResultBatch batch() {
      return batch;
    }

    /** The keys of its results' files in the blob store. */
    List<String> keys() {
      return keys;
    }

    /** Whether it took so long that further messages of its batch may be visible again. */
    boolean slow() {
      return slow;
    }

    /** Makes the files of these results visible, which are the final ones of their tasks. */
    void keep(List<TaskResult> fresh) {
      if (folders.isEmpty()) {
        return;
      }
      for (TaskResult result : fresh) {
        Path filled = folders.remove(result.ordinal());
        if (filled != null) {
          folder.orElseThrow().keep(filled, result.id());
        }
      }
    }

    @Override
    public void close() {
      folders.values().forEach(FilesFolder::discard);
      underWay.end(keys); // none where none was begun
    }
  }

  /**
   * Fetches the files that a message's results name. Until the arrival is closed, no other thread
   * fetches them: by then their tasks have their final results.
   *
   * @throws UnderWayException if another thread fetches them
   * @throws io.cloudkon.client.report.UnwritableFolderException if the disk fails
   * @throws CloudKonException if they cannot be fetched now; the message must be received again
   */
  Arrival of(ResultBatch batch) {
    List<String> keys = batch.fileKeys();
    if (folder.isEmpty() || keys.isEmpty()) {
      return new Arrival(batch, Map.of(), keys, false);
    }
    if (!underWay.begin(keys)) {
      throw new UnderWayException(batch.bundle());
    }
    long started = time.monotonicNanos();
    Map<Integer, Path> folders = new HashMap<>();
    boolean complete = false;
    try {
      List<TaskResult> results = new ArrayList<>(batch.results().size());
      for (TaskResult result : batch.results()) {
        boolean wanted = !result.files().key().isEmpty() && !known.test(result.ordinal());
        results.add(wanted ? arrived(batch, result, folder.get(), folders) : result);
      }
      complete = true;
      boolean slow = time.monotonicNanos() - started >= SLOW_NANOS;
      return new Arrival(batch.withResults(results), folders, keys, slow);
    } finally {
      if (!complete) {
        folders.values().forEach(FilesFolder::discard);
        underWay.end(keys);
      }
    }
  }

  private TaskResult arrived(
      ResultBatch batch, TaskResult result, FilesFolder to, Map<Integer, Path> folders) {
    String key = result.files().key();
    if (!key.startsWith(BlobKeys.out(run, batch.bundle())) || !BlobKeys.isFiles(key)) {
      return result.withoutFiles("its worker names files that are not its own: " + key);
    }
    try {
      return fetched(key, result, to, folders);
    } catch (TransientServiceException e) {
      throw e;
    } catch (NotHadException e) {
      if (!refused.lasts(key)) {
        throw e.cause();
      }
      return result.withoutFiles("its files cannot be read from the blob store: " + e.getMessage());
    }
  }

  /** Thrown if the blob store does not return the files. */
  private static final class NotHadException extends Exception {
    private static final long serialVersionUID = 1L;
    private final CloudKonException cause;

    NotHadException(CloudKonException cause) {
      super(cause.getMessage(), cause);
      this.cause = cause;
    }

    CloudKonException cause() {
      return cause;
    }
  }

  private TaskResult fetched(
      String key, TaskResult result, FilesFolder to, Map<Integer, Path> folders)
      throws NotHadException {
    blobs.found();
    Path filled = to.newFolder();
    Path archive = filled.resolveSibling(filled.getFileName() + ".tar.gz");
    boolean whole = false;
    try {
      boolean there = download(key, archive, to);
      refused.over(key);
      if (!there) {
        return result.withoutFiles("its files are no longer in the blob store, under " + key);
      }
      List<CollectedFiles.Named> names = unpacked(archive, filled);
      FilesFolder.sync(filled);
      folders.put(result.ordinal(), filled);
      whole = true;
      return result.with(result.files().arrived(names));
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw new TransientServiceException("interrupted while files were unpacked", e);
    } catch (IOException e) {
      if (OutOfDescriptors.isCause(e)) {
        throw new TransientServiceException("files were not unpacked: " + e.getMessage(), e);
      }
      if (isDisk(filled, e)) {
        throw to.unwritable(e);
      }
      return result.withoutFiles("its files cannot be unpacked: " + e.getMessage());
    } finally {
      boolean unused = archive.toFile().delete();
      if (!whole) {
        FilesFolder.discard(filled);
      }
    }
  }

  private boolean download(String key, Path archive, FilesFolder to) throws NotHadException {
    for (int tries = 1; ; tries++) {
      try {
        return blobs.store().get(key, archive);
      } catch (TransientServiceException e) {
        if (tries == TRIES || !paused(backOff.millis(tries))) {
          throw e;
        }
      } catch (CloudKonException e) {
        if (OutOfDescriptors.isCause(e)) {
          throw new TransientServiceException(String.valueOf(e.getMessage()), e);
        }
        if (e.getCause() instanceof IOException disk) {
          throw to.unwritable(disk);
        }
        throw new NotHadException(e);
      }
    }
  }

  /** Waits; returns false if the thread was interrupted. */
  private boolean paused(long millis) {
    try {
      boolean unused = never.await(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<CollectedFiles.Named> unpacked(Path archive, Path into) throws IOException {
    long most = limits.maxBytes() + (long) Tree.BLOCK_BYTES * limits.maxFiles();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
      long unused = Tree.unpack(in, into, most);
    }
    return ArrivedNames.in(into);
  }

  /** Whether the cause is the disk rather than the content of the archive. */
  private static boolean isDisk(Path folder, IOException e) {
    String why = String.valueOf(e.getMessage());
    if (why.contains("No space") || why.contains("quota")) {
      return true;
    }
    try {
      Files.delete(Files.write(folder.resolveSibling(folder.getFileName() + ".try"), new byte[1]));
      return false;
    } catch (IOException fails) {
      return true;
    }
  }
}
