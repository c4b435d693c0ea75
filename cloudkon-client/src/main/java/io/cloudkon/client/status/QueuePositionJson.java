package io.cloudkon.client.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.model.Priority;
import java.util.Optional;

/** Writes a run's queue position to its JSON object. Stateless. */
final class QueuePositionJson {
  private QueuePositionJson() {}

  /** Writes {@code queue}; null for a run that is over. */
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
