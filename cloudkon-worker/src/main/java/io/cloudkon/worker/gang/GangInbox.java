package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.pipeline.Inbox;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a worker's jobs and ranks, in the order of their arrival. Thread safe. */
public final class GangInbox implements Inbox {

  /** An event for one of the two state machines. */
  sealed interface Happening {
    /** An event for the manager. */
    record Managed(GangEvent event) implements Happening {}

    /** An event for the sub-worker. */
    record Served(SubWorkerEvent event) implements Happening {}
  }

  private final LinkedBlockingQueue<Happening> queue = new LinkedBlockingQueue<>();

  /**
   * Converts the events of bundles, because the same callers receive, claim and answer jobs as
   * bundles.
   */
  @Override
  public void post(WorkerEvent event) {
    switch (event) {
      case WorkerEvent.Received received ->
          tell(new GangEvent.Received(received.bundles(), received.begun()));
      case WorkerEvent.ReceiveFailed failed -> tell(new GangEvent.ReceiveFailed());
      case WorkerEvent.OfBundle of -> tell(new GangEvent.OfBundle(of.bundle(), of.event()));
      case WorkerEvent.Drain drain -> tell(new GangEvent.Drain());
      case WorkerEvent.Tick tick -> tell(new GangEvent.Tick());
      case WorkerEvent.ClaimTook took -> {}
      case WorkerEvent.SlotFree free -> {}
      case WorkerEvent.ChunkCut cut -> {}
      case WorkerEvent.KeepSlots keep -> {}
      case WorkerEvent.FellSick fell -> tell(new SubWorkerEvent.FellSick());
      case WorkerEvent.Recovered recovered -> tell(new SubWorkerEvent.Recovered());
    }
  }

  /** Adds an event for the manager's state machine. */
  void tell(GangEvent event) {
    queue.add(new Happening.Managed(event));
  }

  /** Adds an event for the sub-worker's state machine. */
  void tell(SubWorkerEvent event) {
    queue.add(new Happening.Served(event));
  }

  /** Reports how many slots the worker now keeps for ranks, and how many more it expects soon. */
  public void slotsKept(long question, int kept, int soon) {
    tell(new SubWorkerEvent.SlotsKept(question, kept, soon));
  }

  /**
   * The next event; null if none arrives within that many nanoseconds. Also null if {@code nanos}
   * is not positive, even if events wait, so that timed work of the loop is never starved.
   */
  @Nullable Happening poll(long nanos) throws InterruptedException {
    return nanos <= 0 ? null : queue.poll(nanos, TimeUnit.NANOSECONDS);
  }
}
