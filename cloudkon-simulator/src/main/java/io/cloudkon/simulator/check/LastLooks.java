package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The results that the client of a cancelled run could have known when it settled the run: those in
 * the bucket before its last look, and those that have waited in a queue, visible, since before it
 * received from there for the last time.
 */
public final class LastLooks {
  /** The time at which each real result was first stored. */
  private final Map<Integer, Long> storedAt = new HashMap<>();

  private final BitSet passedOver = new BitSet();

  /** A client that has not looked at all could have done so until it settled the run. */
  private long lookedAt = Long.MAX_VALUE;

  LastLooks() {}

  void stored(int ordinal, long micros) {
    storedAt.putIfAbsent(ordinal, micros);
  }

  /** Records that the client has taken what was in the bucket at this time. */
  public void looked(long micros) {
    lookedAt = micros;
  }

  /** Records that the client may not look into the bucket. */
  public void mayNotLook() {
    lookedAt = 0;
  }

  /** Records a message that the client leaves in a queue although it could have received it. */
  public void passedOver(ResultMessage results) {
    for (int i = 0; i < results.ordinals().length; i++) {
      if (results.statuses()[i] != TaskStatus.LOST) {
        passedOver.set(results.ordinals()[i]);
      }
    }
  }

  /** Whether the client could have known the task's real result. */
  boolean found(int ordinal) {
    return passedOver.get(ordinal) || storedAt.getOrDefault(ordinal, Long.MAX_VALUE) < lookedAt;
  }
}
