package io.cloudkon.worker.gang;

import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a provisioner may launch, where a job waits that is too large for the live workers:
 * one more item for each such look at all of the ledger, which the workers take in turns. Thread
 * safe.
 */
final class FleetReads {
  private static final Logger LOG = LoggerFactory.getLogger(FleetReads.class);

  private final DecisionStore decisions;
  private final TimeSource time;
  private final AtomicBoolean told = new AtomicBoolean();

  FleetReads(DecisionStore decisions, TimeSource time) {
    this.decisions = decisions;
    this.time = time;
  }

  /** What it may launch; null if no job needs to know, or it could not be read. */
  RankLimit.@Nullable Fleet after(LedgerView view) {
    if (!view.outgrown(time.serviceMillis())) {
      return null;
    }
    try {
      return decisions.provisioner().map(ProvisionerEntry::rankLimit).orElse(RankLimit.Fleet.NONE);
    } catch (MissingResourceException e) {
      // The cluster is older than the table, and so nothing provisions it.
      return RankLimit.Fleet.NONE;
    } catch (TransientServiceException e) {
      LOG.debug("could not read what the provisioner may launch: {}", e.getMessage());
      return null;
    } catch (RuntimeException | Error e) {
      // Whatever it was: the view is worth telling without it.
      if (!told.getAndSet(true)) {
        LOG.warn(
            "could not read what the provisioner may launch: jobs larger than the live workers"
                + " wait",
            e);
      }
      return null;
    }
  }
}
