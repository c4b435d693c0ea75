package io.cloudkon.client.send;

import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts work that is too large for a message into the blob store, under its own hash, so that the
 * message only refers to it. The same work always has the same name, so a bundle that is sent
 * again, after {@link TaskDefaults#apply}, refers to the object that is stored already. Thread
 * safe.
 *
 * <p>For the first send of a bundle, call {@link #storeAll}. For a resend that is tried again later
 * if it fails, call {@link #store} for each of its tasks:
 *
 * <pre>{@code
 * tasks.stream().map(defaults::apply).map(large::store).toList()
 * }</pre>
 */
public final class LargeTasks {
  private static final Logger LOG = LoggerFactory.getLogger(LargeTasks.class);

  /** The number of names that are remembered, so that equal tasks are stored once. */
  private static final int REMEMBERED = 10_000;

  /** A reference that is as large as any reference to stored work: they all have the same size. */
  private static final Content ANY = new Content("0".repeat(64), Limits.BLOB_BYTES, "");

  private final BlobStore blobs;
  private final String run;
  private final int taskBytes;
  private final BooleanSupplier over;
  private final BackOff backOff;
  private final CountDownLatch never = new CountDownLatch(1);
  private final Set<String> stored = Collections.synchronizedSet(remembering());
  private final InputFileStore files;
  private final ServicePatience patience;

  /**
   * Creates a store for one run.
   *
   * @param run the run's id
   * @param headerBytes the part of each message's header for which {@link Limits#TASK_BYTES} leaves
   *     no room, in bytes
   * @param directory the folder to which the paths of tasks' files are relative
   * @param over whether the run is over, so that retrying is useless
   * @param patience limits the wait for a store that refuses or is missing
   */
  LargeTasks(
      BlobStore blobs,
      String run,
      int headerBytes,
      Path directory,
      BooleanSupplier over,
      ServicePatience patience) {
    this(blobs, run, headerBytes, directory, over, patience, new BackOff(100, 5_000, new Random()));
  }

  LargeTasks(
      BlobStore blobs,
      String run,
      int headerBytes,
      Path directory,
      BooleanSupplier over,
      ServicePatience patience,
      BackOff backOff) {
    this.files = new InputFileStore(blobs, run, directory, patience);
    this.blobs = blobs;
    this.run = run;
    this.taskBytes = Limits.TASK_BYTES - headerBytes;
    this.over = over;
    this.patience = patience;
    this.backOff = backOff;
  }

  private static Set<String> remembering() {
    return Collections.newSetFromMap(
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
          }
        });
  }

  /** Whether the task's work or files must be stored before it is sent. */
  boolean needsStore(Task task, int bytes) {
    return isLarge(bytes) || !task.files().inputs().isEmpty();
  }

  /** Whether a task of that encoded size needs the blob store. */
  boolean isLarge(int bytes) {
    return bytes > taskBytes;
  }

  /** The most bytes that a large task takes in its bundle once it is stored. */
  static int storedSize(Task task) {
    return BundleCodec.sizeOf(task.with(named(task.work(), ANY)));
  }

  /**
   * Work that refers to the blob store. For an HPC job, the work of each rank is stored, and the
   * number of ranks stays in the message.
   */
  private static Work named(Work work, Content content) {
    Work.Stored stored = new Work.Stored(work.kind(), content);
    return work instanceof Work.Hpc job ? new Work.Hpc(job.ranks(), job.mpi(), stored) : stored;
  }

  private static Work carried(Work work) {
    return work instanceof Work.Hpc job ? job.each() : work;
  }

  /**
   * Makes the task fit into a message: stores its files, and its work if that is too large, in a
   * single attempt.
   *
   * @throws TransientServiceException if the blob store failed transiently
   * @throws io.cloudkon.core.port.MissingResourceException if there is no bucket
   */
  public Task store(Task task) {
    return storeWork(files.store(task));
  }

  private Task storeWork(Task task) {
    Work carried = carried(task.work());
    if (carried instanceof Work.Stored || !isLarge(BundleCodec.sizeOf(task))) {
      return task;
    }
    byte[] work = BundleCodec.encodeWork(carried);
    String sha256 = sha256(work);
    if (!stored.contains(sha256)) {
      blobs.put(BlobKeys.in(run, sha256), work);
      patience.worked();
      stored.add(sha256);
    }
    return task.with(named(task.work(), new Content(sha256, work.length, "")));
  }

  /**
   * Makes all tasks of a bundle fit into a message. Transient failures are retried; so are a
   * refusal and a missing bucket as long as {@link ServicePatience} waits.
   *
   * @throws InterruptedException if interrupted, or the run was over before all were stored
   * @throws io.cloudkon.core.port.MissingResourceException if there is no bucket
   * @throws io.cloudkon.core.port.RefusedException if a policy does not allow it
   */
  public List<Task> storeAll(List<Task> tasks) throws InterruptedException {
    List<Task> all = new ArrayList<>(tasks.size());
    for (Task task : tasks) {
      all.add(storeAtLast(task));
    }
    return all;
  }

  private Task storeAtLast(Task task) throws InterruptedException {
    for (int failures = 1; !over.getAsBoolean(); failures++) {
      try {
        return store(task);
      } catch (CloudKonException e) {
        checkInterrupt(e);
        patience.throwIfHopeless(e);
        LOG.debug("task {} could not be stored, trying again: {}", task.id(), e.getMessage());
      }
      if (never.await(backOff.millis(failures), TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    throw new InterruptedException("the run was over before task %s was sent".formatted(task.id()));
  }

  /**
   * Reports an interrupt as such: it makes calls that wait for a socket fail, and how they fail
   * does not matter.
   */
  private static void checkInterrupt(CloudKonException failure) throws InterruptedException {
    if (Thread.interrupted()) {
      throw (InterruptedException) new InterruptedException().initCause(failure);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
