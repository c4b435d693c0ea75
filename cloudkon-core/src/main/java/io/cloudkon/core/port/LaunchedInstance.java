package io.cloudkon.core.port;

/**
 * An instance that a launcher started. Immutable.
 *
 * @param id its id, which is also in {@link WorkerOrigin#instance} of its worker
 * @param launch the token of its launch
 * @param type its type, or {@code process}
 * @param lifeCycle {@code on-demand} or {@code spot}; empty for a process
 * @param state its state
 * @param launchedMillis its start in epoch milliseconds
 */
public record LaunchedInstance(
    String id, String launch, String type, String lifeCycle, State state, long launchedMillis) {

  /** The state of an instance. */
  public enum State {
    PENDING,
    RUNNING,
    /** It is being ended. */
    ENDING,
    ENDED
  }

  /** Whether it still exists. */
  public boolean exists() {
    return state == State.PENDING || state == State.RUNNING;
  }
}
