package io.cloudkon.client.dead;

import io.cloudkon.client.dead.DeadLetter.Tasks;
import io.cloudkon.client.dead.DeadLetter.Undecodable;

/**
 * The summary of a dead letter for a list: small, so that a long list can be held. Immutable.
 *
 * @param id see {@link DeadLetter}
 * @param tasks the number of its tasks; negative if they cannot be decoded
 * @param bytes the size of its payload
 */
public record LetterLine(
    String id,
    String shortId,
    String run,
    String bundle,
    int tasks,
    int bytes,
    long sentMillis,
    String reason) {

  /** The summary of a letter. */
  public static LetterLine of(DeadLetter letter) {
    return new LetterLine(
        letter.id(),
        letter.shortId(),
        letter.run(),
        letter.bundle(),
        switch (letter.contents()) {
          case Tasks tasks -> tasks.bundle().tasks().size();
          case Undecodable what -> -1;
        },
        letter.bytes(),
        letter.sentMillis(),
        letter.reason());
  }
}
