package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import java.util.List;

/** The calls of other workers to one worker, as by RMI. */
public interface RankDoor {
  /** A sub-worker asks the manager for ranks. */
  void register(String gang, String worker, List<Integer> ranks, Reply<GangEffect.Welcome> reply);

  /** A sub-worker's beat. */
  void report(
      String gang,
      String worker,
      List<GangEvent.Ended> ended,
      boolean leaving,
      Reply<GangEffect.Standing> reply);

  /** A manager orders ranks to start; the answer is whether they do. */
  void start(String gang, StartOrder order, Reply<Boolean> reply);

  /** A manager orders ranks to end. */
  void kill(String gang, String job, int attempt);

  /** A manager dissolved its gang. */
  void dissolve(String gang);
}
