package io.cloudkon.client.api;

import io.cloudkon.core.error.UsageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The example in the Javadoc of {@link Session}: compiled here, and run by a test. */
final class SessionSnippets {
  private SessionSnippets() {}

  static String example() {
    StringBuilder out = new StringBuilder();
    // @start region="session"
    // a cluster's name instead of local: SessionConfig.cluster("Q")
    SessionConfig config = SessionConfig.local(4).noFiles();
    try (Session session = Session.connect(config)) {
      // one task, and its result
      SessionResult one = session.submit(SessionTask.exec("expr", "6", "*", "7")).join();
      out.append(one.stdout());

      // a batch: results in the order of submission, or as they come by SessionConfig.onResult
      List<CompletableFuture<SessionResult>> batch =
          session.submit(
              List.of(
                  SessionTask.shell("echo a; exit 3").id("first"),
                  SessionTask.java("echo", "b").id("second")));
      for (CompletableFuture<SessionResult> each : batch) {
        SessionResult result = each.join();
        out.append(result.task()).append(' ').append(result.status()).append('\n');
      }

      try {
        session.submit(SessionTask.line("slep 5"));
      } catch (UsageException e) {
        out.append("refused\n"); // and the session goes on
      }
    } // waits for what is open, and ends the run
    // @end
    return out.toString();
  }
}
