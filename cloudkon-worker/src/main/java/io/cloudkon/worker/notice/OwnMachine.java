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
 * The machine that a worker runs on. If that is an EC2 instance, it says where the worker comes
 * from and when it is to leave; else it is known from the environment alone, and stays. Thread
 * safe, but for closing.
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
   * Asks the instance what the environment does not say, for {@link InstanceOrigin#START_LIMIT} at
   * most.
   *
   * @param service the instance's metadata service; empty if this machine is no instance
   * @param told what the environment says
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

  /** Where the worker comes from, as far as was known at the start. */
  public WorkerOrigin origin() {
    return atStart;
  }

  /** Whether all of that was known at the start: else the rest is told later. */
  public boolean originKnown() {
    return knownAtStart;
  }

  /**
   * The instance that a provisioner launched for this worker, and that is to end with it; see
   * {@link InstanceOrigin#launchedInstance}. Asks once more if that is not known yet.
   */
  public Optional<String> launchedInstance() throws InterruptedException {
    if (asked == null) {
      return Optional.empty();
    }
    boolean unused = asked.complete(InstanceOrigin.START_LIMIT);
    return asked.launchedInstance();
  }

  /**
   * From now on the worker leaves if its machine is to; closed with this. To be called once.
   *
   * @param worker its id
   * @param registry where others register that come in its place
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
              new NoticeMachine(worker, drainTimeout.toMillis()),
              registry,
              leaver,
              time,
              NoticeWatch.DEFAULT_EVERY);
    }
  }

  /** Whether the worker leaves as its machine is to: then nobody is to start it again there. */
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
