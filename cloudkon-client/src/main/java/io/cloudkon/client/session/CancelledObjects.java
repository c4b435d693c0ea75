package io.cloudkon.client.session;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.TimeSource;
import java.util.function.Consumer;

/** The objects in the blob store of a run that is being cancelled. Not thread safe. */
final class CancelledObjects {
  private final Cluster cluster;
  private final String run;
  private final TimeSource time;
  private final Pause pause;
  private final Consumer<String> say;
  private boolean unseen;

  /**
   * Objects that were not looked for yet.
   *
   * @param say receives a message about what is waited for
   */
  CancelledObjects(
      Cluster cluster, String run, TimeSource time, Pause pause, Consumer<String> say) {
    this.cluster = cluster;
    this.run = run;
    this.time = time;
    this.pause = pause;
    this.say = say;
  }

  /**
   * Whether workers are known to have stored results, because the queue was gone, refused or
   * silent. A store that does not exist, may not be read or does not answer has none: most runs
   * never use it.
   */
  boolean holdResults() {
    try {
      return !cluster.blobs().list(BlobKeys.out(run)).isEmpty();
    } catch (CloudKonException e) {
      unseen = e instanceof TransientServiceException;
      return false;
    }
  }

  /** Whether the store has not answered, so that results may lie there, and nothing is removed. */
  boolean areUnseen() {
    return unseen;
  }

  /**
   * Removes them, also those that workers store until they notice, unless they are unseen.
   *
   * @param cancelledAt when the run was cancelled at the latest; monotonic clock, milliseconds
   */
  void remove(long cancelledAt) throws InterruptedException {
    if (!unseen) {
      RunCleanup.objects(
          run,
          () -> RunBlobs.remove(cluster.blobs(), run),
          this::mayCome,
          time.now().mono() - cancelledAt,
          say,
          pause);
    }
  }

  /** Whether there is a blob store, and a worker that might still store something there. */
  private boolean mayCome() {
    try {
      var unused = cluster.blobs().list(BlobKeys.run(run));
    } catch (CloudKonException e) {
      return false;
    }
    long now = time.serviceMillis();
    try {
      return cluster.workers().list().stream().anyMatch((WorkerEntry w) -> w.livesAt(now));
    } catch (CloudKonException e) {
      return true;
    }
  }
}
