package io.cloudkon.core.aws;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import java.util.Map;

/** Runs for tests. */
final class Runs {
  private Runs() {}

  static RunEntry open(String run, String holder) {
    long now = System.currentTimeMillis();
    return new RunEntry(
        run,
        "epoch-of-" + holder,
        RunEntry.State.OPEN,
        Consistency.EXACTLY_ONCE,
        "reply",
        holder,
        "host",
        now + 15_000,
        "",
        1,
        0,
        Map.of(),
        RemainingWork.UNKNOWN,
        now,
        now);
  }
}
