package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;

/** An action that a worker's machine asks for. */
public sealed interface WorkerEffect {

  /** Receive. */
  record Receive(int max) implements WorkerEffect {}

  /**
   * Run these tasks, one after the other, in this slot; answered by {@link WorkerEvent.SlotFree}.
   */
  record Run(int slot, long bundle, Positions tasks) implements WorkerEffect {}

  /**
   * Cut this slot's chunk, because it takes too long: finished tasks are to be reported now, and
   * tasks that have not started are returned. Answered by {@link WorkerEvent.ChunkCut}, unless a
   * {@link WorkerEvent.SlotFree} was already on its way. The running task continues.
   */
  record CutChunk(int slot) implements WorkerEffect {}

  /**
   * Report the number of slots that are now kept for ranks.
   *
   * @param question the number of the last request
   * @param soon the number of slots that run a task and will probably be free in a moment
   */
  record SlotsKept(long question, int slots, int soon) implements WorkerEffect {}

  /** An effect of one bundle. */
  record OfBundle(long bundle, BundleEffect effect) implements WorkerEffect {}
}
