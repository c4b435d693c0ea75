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
 * Reads the maximum fleet that a provisioner may launch, if a job waits that is too large for the
 * live workers. Each such view of the ledger costs one more read; the workers take turns with these
 * views. Thread safe.
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

  /** The maximum fleet; null if no job needs it or it could not be read. */
  RankLimit.@Nullable Fleet after(LedgerView view) {
    if (!view.outgrown(time.serviceMillis())) {
      return null;
    }
    try {
      return decisions.provisioner().map(ProvisionerEntry::rankLimit).orElse(RankLimit.Fleet.NONE);
    } catch (MissingResourceException e) {
      // The cluster is older than the table, so no provisioner serves it.
      return RankLimit.Fleet.NONE;
    } catch (TransientServiceException e) {
      LOG.debug("could not read what the provisioner may launch: {}", e.getMessage());
      return null;
    } catch (RuntimeException | Error e) {
      // Catches everything, because the view is useful without the fleet.
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
