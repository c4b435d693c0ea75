package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
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
 * Brings what tasks have left for their client to the blob store, before any result names it. What
 * fails in passing is repeated for as long as the bundle may run here; a task whose files the store
 * refuses has none, and says so. Thread safe.
 */
public final class CollectedStore {
  private static final Logger LOG = LoggerFactory.getLogger(CollectedStore.class);

  /** Failures in a row of which nobody need hear are over. */
  private static final int TOLD_AT = 5;

  private final BlobStore blobs;
  private final Pulse pulse;
  private final BackOff backOff;
  private final AtomicLong numbers = new AtomicLong();
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * Stores nothing yet.
   *
   * @param pulse says whether a bundle's results may still leave
   */
  public CollectedStore(BlobStore blobs, Pulse pulse, BackOff backOff) {
    this.blobs = blobs;
    this.pulse = pulse;
    this.backOff = backOff;
  }

  /**
   * Stores an archive; waits until that is done, and makes one call where nothing fails.
   *
   * @return what the result says of it; empty if the task is not to end here any more
   */
  public Optional<CollectedFiles> store(
      BundleInHand inHand, int ordinal, CollectedArchive archive) {
    Path file = archive.file();
    if (file == null) {
      return Optional.of(archive.files());
    }
    BundleHeader header = inHand.header();
    // No key's content ever changes, and a task may run twice under one nonce.
    String key =
        BlobKeys.files(
            header.run(), header.bundle(), inHand.nonce(), ordinal, numbers.incrementAndGet());
    for (int failures = 1; wanted(inHand); failures++) {
      Abort abort = new Abort();
      try (var _ = abort;
          var _ = inHand.onAbandon(abort)) {
        blobs.put(key, file);
        return Optional.of(archive.files().storedUnder(key));
      } catch (TransientServiceException e) {
        if (failures == TOLD_AT) {
          LOG.warn("files of a task could not be stored, trying on: {}", e.getMessage());
        }
      } catch (CloudKonException e) {
        if (wanted(inHand)) {
          return Optional.of(lost(archive, String.valueOf(e.getMessage())));
        }
      } catch (RuntimeException | Error e) {
        if (wanted(inHand)) {
          LOG.warn("files of a task could not be stored", e);
          return Optional.of(lost(archive, e.toString()));
        }
      }
      if (!paused(failures)) {
        break;
      }
    }
    return Optional.empty();
  }

  private static CollectedFiles lost(CollectedArchive archive, String why) {
    return archive.files().lost("its files could not be stored: " + why);
  }

  private boolean wanted(BundleInHand inHand) {
    return !Thread.currentThread().isInterrupted()
        && !inHand.interruption().killed()
        && pulse.allows(inHand);
  }

  /** False if the slot ends. */
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
