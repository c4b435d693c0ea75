package io.cloudkon.client.session;

import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.Remainder;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes a new run in the table of runs. Stateless. */
final class Publication {
  private static final Logger LOG = LoggerFactory.getLogger(Publication.class);
  private static final int WITHDRAWALS = 3;
  private static final long PAUSE_MILLIS = 500;

  private Publication() {}

  /**
   * Publishes the run, and returns the entry as it was written.
   *
   * @throws UsageException if the run's id is used already
   * @throws TransientServiceException if it is unknown whether the entry was written; if it was, it
   *     is ended again if possible
   */
  static RunEntry publish(SessionParts parts, RunIdentity identity, Moment now)
      throws InterruptedException {
    RunEntry entry = entry(parts, identity, now);
    boolean created;
    try {
      created = parts.cluster().runs().create(entry);
    } catch (TransientServiceException e) {
      withdraw(parts, entry);
      throw e;
    }
    if (!created) {
      throw new UsageException(
          "run id '%s' is already used in cluster %s; choose another with --run-id, or leave it out%s"
              .formatted(identity.run(), parts.cluster().name(), goOn(parts, identity.run())));
    }
    return entry;
  }

  /**
   * The end of a message that says how to resume the run with this id; empty unless it is
   * unfinished.
   */
  private static String goOn(SessionParts parts, String run) {
    try {
      return parts
          .cluster()
          .runs()
          .read(run)
          .filter(other -> other.state() == RunEntry.State.OPEN && !other.digest().isEmpty())
          .map(other ->
              "; that run is unfinished; resume it in the directory of its folder: "
                  + Resuming.command(parts.cluster().name(), run, RunFolder.ofRun(run)))
          .orElse("");
    } catch (TransientServiceException e) {
      // The id is refused in any case.
      return "";
    }
  }

  /** Ends the run again: it has no journal, so nobody could resume it. */
  private static void withdraw(SessionParts parts, RunEntry entry) throws InterruptedException {
    for (int i = 0; i < WITHDRAWALS; i++) {
      long now = parts.time().serviceMillis();
      RunEntry ended = entry.with(RunEntry.State.ENDED, now, 0, 0, Map.of(), now);
      try {
        boolean unused = parts.cluster().runs().update(ended);
        return;
      } catch (TransientServiceException e) {
        LOG.debug("run {} could not be withdrawn: {}", entry.run(), e.getMessage());
        parts.sessionOptions().pause().millis(PAUSE_MILLIS);
      }
    }
  }

  private static RunEntry entry(SessionParts parts, RunIdentity identity, Moment now) {
    RunOptions options = parts.options();
    RunEntry entry =
        new RunEntry(
            identity.run(),
            identity.epoch(),
            RunEntry.State.OPEN,
            options.consistency(),
            identity.responseQueue(),
            identity.client(),
            identity.host(),
            now.leaseEnd(options.lease().lease()),
            parts.digest(),
            Math.max(0, parts.allTasks()),
            0,
            Map.of(),
            Remainder.atFirst(parts.workload()).with(options.priority()),
            now.earliest(),
            now.earliest());
    return entry.with(parts.sessionOptions().label());
  }
}
