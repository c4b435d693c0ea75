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
   * This slot's tasks take too long: what has finished is to be told now, and what has not started
   * comes back; answered by {@link WorkerEvent.ChunkCut}, if not by a {@link WorkerEvent.SlotFree}
   * that was on its way. The task that runs goes on.
   */
  record CutChunk(int slot) implements WorkerEffect {}

  /**
   * So many slots are kept for ranks now.
   *
   * @param question the last one that was asked
   */
  record SlotsKept(long question, int slots) implements WorkerEffect {}

  /** What one bundle wants done. */
  record OfBundle(long bundle, BundleEffect effect) implements WorkerEffect {}
}
