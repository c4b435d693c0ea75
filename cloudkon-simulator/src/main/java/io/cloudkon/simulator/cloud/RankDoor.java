package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import java.util.List;
import java.util.Optional;

/** The calls that other workers make to a worker, by RMI in production. */
public interface RankDoor {
  /**
   * A sub-worker's request to a manager for ranks; the answer is empty if the manager could not
   * call it back.
   */
  void register(
      String gang, String worker, List<Integer> ranks, Reply<Optional<GangEffect.Welcome>> reply);

  /** A manager's call back to a sub-worker that registers. */
  void ping(Reply<Boolean> reply);

  /** A sub-worker's heartbeat. */
  void report(
      String gang,
      String worker,
      List<GangEvent.Ended> ended,
      boolean leaving,
      Reply<GangEffect.Standing> reply);

  /** A manager's order to start ranks; the answer is whether they start. */
  void start(String gang, StartOrder order, Reply<Boolean> reply);

  /** A manager's order to end ranks. */
  void kill(String gang, String job, int attempt);

  /** A manager's notice that it dissolved its gang. */
  void dissolve(String gang);
}
