package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.pipeline.Inbox;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The events of a worker's jobs and ranks, in the order in which they are told. Thread safe. */
public final class GangInbox implements Inbox {

  /** One thing that happened. */
  sealed interface Happening {
    /** To what this worker manages. */
    record Managed(GangEvent event) implements Happening {}

    /** To what it serves. */
    record Served(SubWorkerEvent event) implements Happening {}
  }

  private final LinkedBlockingQueue<Happening> queue = new LinkedBlockingQueue<>();

  /** Jobs are received, claimed and answered for as bundles are, and the same callers tell. */
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
      case WorkerEvent.FellSick fell -> {}
      case WorkerEvent.Recovered recovered -> {}
    }
  }

  /** Tells the manager's machine. */
  void tell(GangEvent event) {
    queue.add(new Happening.Managed(event));
  }

  /** Tells the sub-worker's machine. */
  void tell(SubWorkerEvent event) {
    queue.add(new Happening.Served(event));
  }

  /** The worker keeps so many slots for ranks now. */
  public void slotsKept(long question, int kept) {
    tell(new SubWorkerEvent.SlotsKept(question, kept));
  }

  /**
   * The next one; null if none comes within so many nanoseconds, or none are left: whoever has
   * something else to do by then does it, however much has happened.
   */
  @Nullable Happening poll(long nanos) throws InterruptedException {
    return nanos <= 0 ? null : queue.poll(nanos, TimeUnit.NANOSECONDS);
  }
}
