package io.cloudkon.client.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.model.Priority;
import java.util.Optional;

/** A run's place among the others as fields of its JSON object. Stateless. */
final class QueuePositionJson {
  private QueuePositionJson() {}

  /** Puts {@code queue}: null of a run that is over. */
  static void put(ObjectNode run, Optional<QueuePosition> position) {
    if (position.isEmpty()) {
      run.putNull("queue");
      return;
    }
    QueuePosition at = position.get();
    ObjectNode node = run.putObject("queue");
    node.put("priority", at.priority().map(Priority::label).orElse(null))
        .put("share", at.share())
        .put("sent", at.sent())
        .put("sentSeconds", at.sentSeconds())
        .put("heldBack", at.heldBack())
        .put("ahead", at.ahead())
        .put("olderRuns", at.older());
  }
}
