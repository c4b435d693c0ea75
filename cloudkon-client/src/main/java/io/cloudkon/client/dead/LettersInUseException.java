package io.cloudkon.client.dead;

import io.cloudkon.client.status.Say;
import io.cloudkon.core.error.CloudKonException;

/**
 * Signals that another program is reading letters, so that they could not be seen: exit code 3.
 * Temporary.
 */
public final class LettersInUseException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure to see that many letters.
   *
   * @param letters about how many could not be seen, at least 1
   */
  LettersInUseException(String queue, long letters) {
    super(
        "%s of queue %s %s being read by another program; try again in %s"
            .formatted(
                Say.count(letters, "dead letter"),
                queue,
                letters == 1 ? "is" : "are",
                Say.span(DeadLetterBox.look(letters).toMillis())));
  }
}
