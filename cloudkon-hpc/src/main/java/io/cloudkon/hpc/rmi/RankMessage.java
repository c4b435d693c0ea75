package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;

/**
 * A message from one rank to another. Its array is never written to.
 *
 * @param job the job's id
 * @param attempt the attempt of the job
 * @param from the sending rank
 * @param to the receiving rank
 * @param bytes the message
 */
public record RankMessage(String job, int attempt, int from, int to, byte[] bytes)
    implements Serializable {

  /** Checks all components. */
  public RankMessage {
    Check.id("job", job);
    Check.attempt(attempt);
    Check.rank("sender", from, Limits.RANKS);
    Check.rank("receiver", to, Limits.RANKS);
    Check.bytes("message", bytes);
  }

  /** The length of the message in bytes. */
  long payload() {
    return bytes.length;
  }
}
