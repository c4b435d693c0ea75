package io.cloudkon.worker.notice;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.protocol.notice.Notice;
import io.cloudkon.core.protocol.notice.NoticeMachine;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.imds.InstanceOrigin;
import io.cloudkon.worker.imds.MetadataService;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The machine that a worker runs on. If it is an EC2 instance, the metadata service tells the
 * worker's origin and when the machine is to leave. Otherwise the environment alone tells the
 * origin, and the machine stays. Thread safe, except for closing.
 */
public final class OwnMachine implements AutoCloseable {
  private final @Nullable MetadataService metadata;
  private final @Nullable InstanceOrigin asked;
  private final WorkerOrigin atStart;
  private final boolean knownAtStart;
  private volatile @Nullable NoticeWatch watch;

  private OwnMachine(
      @Nullable MetadataService metadata,
      @Nullable InstanceOrigin asked,
      WorkerOrigin atStart,
      boolean knownAtStart) {
    this.metadata = metadata;
    this.asked = asked;
    this.atStart = atStart;
    this.knownAtStart = knownAtStart;
  }

  /**
   * Asks the instance for what the environment does not tell, for at most {@link
   * InstanceOrigin#START_LIMIT}.
   *
   * @param service the instance's metadata service; empty if this machine is not an instance
   * @param told the origin according to the environment
   */
  public static OwnMachine ask(Optional<URI> service, WorkerOrigin told)
      throws InterruptedException {
    if (service.isEmpty()) {
      return new OwnMachine(null, null, told, true);
    }
    MetadataService metadata = new MetadataService(service.get());
    InstanceOrigin origin = new InstanceOrigin(told, metadata);
    boolean known = origin.complete(InstanceOrigin.START_LIMIT);
    return new OwnMachine(metadata, origin, origin.get(), known);
  }

  /** The worker's origin, as far as it was known at the start. */
  public WorkerOrigin origin() {
    return atStart;
  }

  /** Whether the origin was fully known at the start; otherwise the rest is reported later. */
  public boolean originKnown() {
    return knownAtStart;
  }

  /**
   * The instance that a provisioner launched for this worker and that must end with it; see {@link
   * InstanceOrigin#launchedInstance}. Asks once more if that is not known yet.
   */
  public Optional<String> launchedInstance() throws InterruptedException {
    if (asked == null) {
      return Optional.empty();
    }
    boolean unused = asked.complete(InstanceOrigin.START_LIMIT);
    return asked.launchedInstance();
  }

  /**
   * Whether a provisioner launched this instance, or that is not known because the metadata service
   * does not answer. Asks once more if that is not known yet.
   */
  public boolean mayBeLaunched() throws InterruptedException {
    return asked != null
        && (!asked.complete(InstanceOrigin.START_LIMIT) || asked.launchedInstance().isPresent());
  }

  /**
   * Makes the worker leave when its machine is to leave, from now on; closed with this. Must be
   * called only once.
   *
   * @param worker the worker's id
   * @param registry the registry in which replacements register
   */
  public void watch(
      String worker,
      Duration drainTimeout,
      WorkerRegistry registry,
      TimeSource time,
      NoticeWatch.Leaver leaver) {
    if (metadata != null && asked != null) {
      watch =
          new NoticeWatch(
              metadata,
              asked,
              atStart,
              new NoticeMachine(worker, drainTimeout.toMillis()),
              registry,
              leaver,
              time,
              NoticeWatch.DEFAULT_EVERY);
    }
  }

  /**
   * Whether the worker leaves because its machine is to leave; then it must not be started there
   * again.
   */
  public boolean leaves() {
    NoticeWatch watching = watch;
    return watching != null && watching.leaves() != Notice.NONE;
  }

  @Override
  public void close() throws InterruptedException {
    NoticeWatch watching = watch;
    if (watching != null) {
      watching.close();
    }
    if (metadata != null) {
      metadata.close();
    }
  }
}
