package io.cloudkon.worker.lifetime;

import io.cloudkon.core.port.WorkerOrigin;
import java.util.Map;

/**
 * Reads a worker's origin, which its launcher passes in the environment: {@code CLOUDKON_LAUNCH}
 * (the token of its launch), {@code CLOUDKON_INSTANCE}, {@code CLOUDKON_INSTANCE_TYPE} and {@code
 * CLOUDKON_LIFE_CYCLE}. Variables that are not set are unknown.
 */
public final class WorkerOrigins {
  /** The token of the launch; a worker that has one was launched by a provisioner. */
  public static final String LAUNCH = "CLOUDKON_LAUNCH";

  /** The launcher's name of the instance. */
  public static final String INSTANCE = "CLOUDKON_INSTANCE";

  /** The instance's type. */
  public static final String TYPE = "CLOUDKON_INSTANCE_TYPE";

  /** {@code on-demand} or {@code spot}. */
  public static final String LIFE_CYCLE = "CLOUDKON_LIFE_CYCLE";

  private WorkerOrigins() {}

  /** The origin according to these variables. */
  public static WorkerOrigin fromEnvironment(Map<String, String> environment) {
    return new WorkerOrigin(
        environment.getOrDefault(LAUNCH, ""),
        environment.getOrDefault(INSTANCE, ""),
        environment.getOrDefault(TYPE, ""),
        environment.getOrDefault(LIFE_CYCLE, ""));
  }
}
