package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the events at the services as they happen. */
public interface CloudWatch {
  /** Called when a claim changed. */
  void claimed(Request of, @Nullable Claim before, Claim after);

  /** Called when a sick worker gave a bundle back, with the number of workers that have done so. */
  void givenBackSick(String bundle, int workers);

  /** Called when the dead-letter queue has accepted these tasks. */
  void lettered(Request letter);

  /** Called when a response queue has accepted results, with the time in microseconds. */
  void replied(ResultMessage results, long micros);

  /**
   * Called when the blob store has accepted results instead of a response queue that takes none,
   * with the time in microseconds.
   */
  void stored(ResultMessage results, long micros);

  /** Called when results in a response queue were lost with the queue or expired. */
  void gone(ResultMessage results);

  /** Called when a run's entry was written, with the time in microseconds. */
  void runWritten(RunEntry entry, long micros);

  /** Called when the ledger is read as a whole, with the jobs that it shows as waiting. */
  void ledgerRead(List<Waiting> waiting);

  /** Called when a finished claim was forgotten to save memory. */
  void forgotten(Request of);
}
