package io.cloudkon.client.dead;

import io.cloudkon.client.status.Say;
import io.cloudkon.core.error.CloudKonException;

/**
 * Signals that not as many letters were seen as their queue says it has, so that another program
 * may be reading some: exit code 3. Temporary.
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
        "%s of queue %s could not be read: another program may be reading %s, or %s just removed; try again in %s"
            .formatted(
                Say.count(letters, "dead letter"),
                queue,
                letters == 1 ? "it" : "them",
                letters == 1 ? "it was" : "they were",
                Say.span(DeadLetterBox.look(letters).toMillis())));
  }
}
