package io.cloudkon.worker.imds;

import io.cloudkon.core.port.WorkerOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The origin of a worker by its environment and, for the rest, by the metadata service. What could
 * not be asked at the start may be asked again. Thread safe.
 */
public final class InstanceOrigin implements Supplier<WorkerOrigin> {
  /** The start of a worker is not held up for longer. */
  public static final Duration START_LIMIT = Duration.ofSeconds(1);

  private static final String LAUNCH = "tags/instance/cloudkon:launch";
  private static final String INSTANCE = "instance-id";
  private static final String TYPE = "instance-type";
  private static final String LIFE_CYCLE = "instance-life-cycle";

  private final MetadataService metadata;
  private final WorkerOrigin told;

  /** By path; guarded by this. */
  private final Map<String, Optional<String>> answers = new HashMap<>();

  private volatile WorkerOrigin origin;

  /**
   * Nothing is asked yet.
   *
   * @param told what the environment says; what is empty there is asked for
   */
  public InstanceOrigin(WorkerOrigin told, MetadataService metadata) {
    this.told = told;
    this.metadata = metadata;
    this.origin = told;
  }

  /** As far as it is known. */
  @Override
  public WorkerOrigin get() {
    return origin;
  }

  /**
   * The id of the instance that this worker runs on, if a provisioner launched that instance for
   * it: its own tags say so. A process that was launched on an instance is not told by them, nor
   * does the environment count, which anybody may set. Empty also while that is not known.
   */
  public synchronized Optional<String> launchedInstance() {
    boolean launched = told.launch().isEmpty() && !known(LAUNCH, "").isEmpty();
    return Optional.of(known(INSTANCE, "")).filter(id -> launched && !id.isEmpty());
  }

  /**
   * Asks for what is not known yet; asks nothing once all is. Returns within this time.
   *
   * @return whether all is known; what the instance does not have is
   */
  public synchronized boolean complete(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    try {
      // First what only this worker can tell: without it nobody knows that its launch came up.
      String launch = ask(LAUNCH, told.launch(), end);
      String instance = ask(INSTANCE, told.instance(), end);
      String type = ask(TYPE, told.type(), end);
      String lifeCycle = ask(LIFE_CYCLE, told.lifeCycle(), end);
      origin = new WorkerOrigin(launch, instance, type, lifeCycle);
      return true;
    } catch (IOException e) {
      // The service has logged it.
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
