package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.worker.collect.CollectedArchive;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads the files that tasks have left for their client to the blob store, before any result
 * refers to them. Repeats transient failures for as long as the bundle may run here. If the store
 * refuses a task's files, the task has none and its result says so. Thread safe.
 */
public final class CollectedStore {
  private static final Logger LOG = LoggerFactory.getLogger(CollectedStore.class);

  /** The number of tries after which a failure counts that a store should not have. */
  private static final int UNEXPECTED_TRIES = 5;

  /** The same for a lack of descriptors: for minutes, as other tasks end meanwhile. */
  private static final int DESCRIPTOR_TRIES = 40;

  /** The number of consecutive failures at which a warning is logged. */
  private static final int TOLD_AT = 5;

  private final BlobStore blobs;
  private final Pulse pulse;
  private final BackOff backOff;
  private final AtomicLong numbers = new AtomicLong();
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * Stores nothing yet.
   *
   * @param pulse decides whether a bundle's results may still leave
   */
  public CollectedStore(BlobStore blobs, Pulse pulse, BackOff backOff) {
    this.blobs = blobs;
    this.pulse = pulse;
    this.backOff = backOff;
  }

  /**
   * Stores an archive; waits until that is done. Makes one call if nothing fails.
   *
   * @return the description for the result; empty if the task is not to end here any more
   */
  public Optional<CollectedFiles> store(
      BundleInHand inHand, int ordinal, CollectedArchive archive) {
    Path file = archive.file();
    if (file == null) {
      return Optional.of(archive.files());
    }
    BundleHeader header = inHand.header();
    // The content of a key never changes, and a task may run twice under one nonce.
    String key =
        BlobKeys.files(
            header.run(), header.bundle(), inHand.nonce(), ordinal, numbers.incrementAndGet());
    int unexpected = 0;
    for (int failures = 1; wanted(inHand); failures++) {
      Abort abort = new Abort();
      try (var _ = abort;
          var _ = inHand.interruption().onKill(abort)) {
        blobs.put(key, file);
        return Optional.of(archive.files().storedUnder(key));
      } catch (TransientServiceException e) {
        tell(failures, e);
      } catch (RuntimeException | Error e) {
        if (++unexpected >= most(e) && wanted(inHand)) {
          LOG.warn("files of a task could not be stored", e);
          return Optional.of(lost(archive, reason(e)));
        }
        tell(failures, e);
      }
      if (!paused(failures)) {
        break;
      }
    }
    return Optional.empty();
  }

  private static void tell(int failures, Throwable e) {
    if (failures == TOLD_AT) {
      LOG.warn("files of a task could not be stored, trying again: {}", reason(e));
    }
  }

  /** How many failures like this one are permanent. */
  private static int most(Throwable e) {
    if (OutOfDescriptors.isCause(e)) {
      return DESCRIPTOR_TRIES;
    }
    // A store should not throw anything else: it may be transient or permanent.
    return e instanceof CloudKonException ? 1 : UNEXPECTED_TRIES;
  }

  private static String reason(Throwable e) {
    return e instanceof CloudKonException ? String.valueOf(e.getMessage()) : e.toString();
  }

  private static CollectedFiles lost(CollectedArchive archive, String why) {
    return archive.files().lost("its files could not be stored: " + why);
  }

  private boolean wanted(BundleInHand inHand) {
    return !Thread.currentThread().isInterrupted()
        && !inHand.interruption().killed()
        && pulse.allows(inHand);
  }

  /** Waits for the back-off; false if the slot ends. */
  private boolean paused(int failures) {
    try {
      boolean unused = never.await(backOff.millis(failures), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
