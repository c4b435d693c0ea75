package io.cloudkon.client.collect;

import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.client.run.Pause;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.time.TimeSource;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the results of a cancelled run that workers have stored, as they still count. The run's
 * queue need not be gone for that: it may have been silent or refused for a while. Used by one
 * thread.
 */
final class LastStored {
  private static final Logger LOG = LoggerFactory.getLogger(LastStored.class);
  private static final long AGAIN_MILLIS = 500;

  /** How long a store that holds results may fail, since the last progress. */
  private static final long PATIENCE_MILLIS = 60_000;

  private final BooleanSupplier certain;
  private final BooleanSupplier used;
  private final Runnable unseen;
  private final Supplier<Set<String>> bundles;
  private final Predicate<String> take;
  private final TimeSource time;
  private final Pause pause;

  /**
   * Takes nothing yet.
   *
   * @param certain whether the run is known to have results in the store. Otherwise the client may
   *     have no permission to read the store, or no way to it, and needs none
   * @param used whether the run may have objects in the store
   * @param unseen hears that the store could not be listed, so that nothing there must be removed
   * @param bundles lists the bundles with results in the store
   * @param take takes a bundle's results, which may be repeated; returns false if the lease is lost
   */
  LastStored(
      BooleanSupplier certain,
      BooleanSupplier used,
      Runnable unseen,
      Supplier<Set<String>> bundles,
      Predicate<String> take,
      TimeSource time,
      Pause pause) {
    this.certain = certain;
    this.used = used;
    this.unseen = unseen;
    this.bundles = bundles;
    this.take = take;
    this.time = time;
    this.pause = pause;
  }

  /**
   * Takes what is stored. A store that cannot be listed is asked once only and counts as empty,
   * unless it is certain to hold results of the run.
   *
   * @throws CloudKonException if results in the store cannot be read, for whatever reason, for a
   *     minute
   */
  void take() throws InterruptedException {
    for (String bundle : listed()) {
      if (!patiently(() -> take.test(bundle))) {
        return;
      }
    }
  }

  private Set<String> listed() throws InterruptedException {
    if (certain.getAsBoolean()) {
      return patiently(bundles);
    }
    try {
      return bundles.get();
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (CloudKonException e) {
      unseen.run();
      LOG.atLevel(used.getAsBoolean() ? Level.WARN : Level.DEBUG)
          .log("results that workers may have stored are not read: {}", e.getMessage());
      return Set.of();
    }
  }

  private <T> T patiently(Supplier<T> call) throws InterruptedException {
    long since = time.now().mono();
    while (true) {
      try {
        return call.get();
      } catch (UnwritableFolderException e) {
        throw e;
      } catch (ArrivingFiles.UnderWayException e) {
        since = time.now().mono(); // another thread makes progress
      } catch (CloudKonException e) {
        if (time.now().mono() - since >= PATIENCE_MILLIS) {
          throw e;
        }
        LOG.debug("could not read stored results, trying again: {}", e.getMessage());
      }
      pause.millis(AGAIN_MILLIS);
    }
  }
}
