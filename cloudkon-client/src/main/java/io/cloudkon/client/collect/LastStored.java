package io.cloudkon.client.collect;

import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the results of a cancelled run that workers have stored, as they still count. The run's
 * queue need not be gone for that: it may have been silent or refused for a while. Used by one
 * thread.
 */
final class LastStored {
  private static final Logger LOG = LoggerFactory.getLogger(LastStored.class);
  private static final long AGAIN_MILLIS = 500;

  /** How long the store may fail. */
  private static final long PATIENCE_MILLIS = 60_000;

  private final BooleanSupplier used;
  private final Runnable take;
  private final TimeSource time;
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * Takes nothing yet.
   *
   * @param used whether the run is known to have had objects in the store, or may have lost results
   *     with a queue. Otherwise the client may have no permission to read the store, or no way to
   *     it, and needs none
   * @param take takes what is stored; may be repeated
   */
  LastStored(BooleanSupplier used, Runnable take, TimeSource time) {
    this.used = used;
    this.take = take;
    this.time = time;
  }

  /**
   * Takes what is stored. A store that may not be read counts as empty: after a minute if the run
   * has used it, else at once. So does one that has not answered for a minute, unless the run has
   * used it.
   *
   * @throws CloudKonException if a store that the run has used does not answer
   */
  void take() throws InterruptedException {
    long since = time.now().mono();
    while (!tried(since)) {
      boolean unused = never.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Returns false if it is to be tried again. */
  private boolean tried(long since) {
    try {
      take.run();
      return true;
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (CloudKonException e) {
      boolean refused = BlobStore.refuses(e);
      if (!refused && !(e instanceof TransientServiceException)) {
        throw e;
      }
      boolean lasts = time.now().mono() - since >= PATIENCE_MILLIS;
      if (lasts && !refused && used.getAsBoolean()) {
        throw e;
      }
      if (lasts || (refused && !used.getAsBoolean())) {
        LOG.warn("results that workers may have stored are not read: {}", e.getMessage());
        return true;
      }
      LOG.debug("could not read stored results, trying again: {}", e.getMessage());
      return false;
    }
  }
}
