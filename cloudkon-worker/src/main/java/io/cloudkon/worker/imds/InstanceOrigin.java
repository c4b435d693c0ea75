package io.cloudkon.worker.imds;

import io.cloudkon.core.port.WorkerOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The origin of a worker, from its environment and, for the rest, from the metadata service. A
 * request that failed at the start may be repeated. Thread safe.
 */
public final class InstanceOrigin implements Supplier<WorkerOrigin> {
  /** The maximum time for which the start of a worker is delayed. */
  public static final Duration START_LIMIT = Duration.ofSeconds(1);

  private static final String LAUNCH = "tags/instance/cloudkon:launch";
  private static final String INSTANCE = "instance-id";
  private static final String TYPE = "instance-type";
  private static final String LIFE_CYCLE = "instance-life-cycle";

  private final MetadataService metadata;
  private final WorkerOrigin told;

  /** The answers by path; guarded by this. */
  private final Map<String, Optional<String>> answers = new HashMap<>();

  private volatile WorkerOrigin origin;

  /**
   * Asks nothing yet.
   *
   * @param told the origin from the environment; its empty parts are requested from the service
   */
  public InstanceOrigin(WorkerOrigin told, MetadataService metadata) {
    this.told = told;
    this.metadata = metadata;
    this.origin = told;
  }

  /** The origin, as far as it is known. */
  @Override
  public WorkerOrigin get() {
    return origin;
  }

  /**
   * The id of the instance that this worker runs on, if the instance's own tags say that a
   * provisioner launched it for this worker. The tags do not describe a process that was launched
   * on an instance, and the environment does not count, because anybody may set it. Also empty
   * while that is unknown.
   */
  public synchronized Optional<String> launchedInstance() {
    boolean launched = told.launch().isEmpty() && !known(LAUNCH, "").isEmpty();
    return Optional.of(known(INSTANCE, "")).filter(id -> launched && !id.isEmpty());
  }

  /**
   * Requests the parts that are not known yet, if any. Returns within this time.
   *
   * @return whether everything is known; a part that the instance does not have counts as known
   */
  public synchronized boolean complete(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    try {
      // First the part that only this worker can tell: it shows that its launch succeeded.
      String launch = ask(LAUNCH, told.launch(), end);
      String instance = ask(INSTANCE, told.instance(), end);
      String type = ask(TYPE, told.type(), end);
      String lifeCycle = ask(LIFE_CYCLE, told.lifeCycle(), end);
      origin = new WorkerOrigin(launch, instance, type, lifeCycle);
      return true;
    } catch (IOException e) {
      // MetadataService has logged it.
      origin =
          new WorkerOrigin(
              known(LAUNCH, told.launch()),
              known(INSTANCE, told.instance()),
              known(TYPE, told.type()),
              known(LIFE_CYCLE, told.lifeCycle()));
      return false;
    }
  }

  private String ask(String path, String said, long end) throws IOException, InterruptedException {
    if (said.isEmpty() && !answers.containsKey(path)) {
      answers.put(path, metadata.get(path, Duration.ofNanos(end - System.nanoTime())));
    }
    return known(path, said);
  }

  private String known(String path, String said) {
    return said.isEmpty() ? answers.getOrDefault(path, Optional.empty()).orElse("") : said;
  }
}
