package io.cloudkon.core.port;

/**
 * An instance that a launcher made. Immutable.
 *
 * @param id what {@link WorkerOrigin#instance} of its worker says
 * @param launch the token of its launch
 * @param type its type, or {@code process}
 * @param lifeCycle {@code on-demand} or {@code spot}; empty for a process
 * @param state how far it is
 * @param launchedMillis since when it exists; epoch milliseconds
 */
public record LaunchedInstance(
    String id, String launch, String type, String lifeCycle, State state, long launchedMillis) {

  /** How far an instance is. */
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
