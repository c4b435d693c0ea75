package io.cloudkon.worker.service;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.BitSet;

/**
 * The tasks that a slot was given at one time, and their outcomes. The slot runs them one after the
 * other; the worker's loop may cut the chunk short meanwhile. Thread safe.
 */
final class Chunk {
  private final int slot;
  private final BundleInHand inHand;

  /** The tasks that are still to start. */
  private final BitSet left;

  /** No task before this position is still to start. */
  private int from;

  /** The tasks that were to start and did not. */
  private final BitSet givenUp = new BitSet();

  private BitSet finished = new BitSet();
  private BitSet failed = new BitSet();
  private final BitSet killed = new BitSet();
  private Samples samples = new Samples();
  private long bytes;
  private int forGood;
  private int failedForGood;

  Chunk(int slot, BundleInHand inHand, Positions tasks) {
    this.slot = slot;
    this.inHand = inHand;
    this.left = tasks.toBits();
  }

  BundleInHand inHand() {
    return inHand;
  }

  /** The next task, which is about to start; -1 if there is none. */
  synchronized int next() {
    int position = left.nextSetBit(from);
    if (position >= 0) {
      left.clear(position);
      from = position + 1;
    }
    return position;
  }

  /** Records that the task did not start after all. */
  synchronized void givenUp(int position) {
    givenUp.set(position);
  }

  /** Records that the task was killed. */
  synchronized void killed(int position) {
    killed.set(position);
  }

  /**
   * Records that the task has a result, which the bundle in hand holds.
   *
   * @param fails whether it failed in a way that allows another try
   * @param again whether it is tried again
   */
  synchronized void finished(
      int position, TaskResult result, boolean fails, boolean again, Work work) {
    finished.set(position);
    failed.set(position, fails);
    forGood += again ? 0 : 1;
    failedForGood += result.status() == TaskStatus.SUCCEEDED || again ? 0 : 1;
    bytes += ResultCodec.sizeOf(result);
    samples.add(work, result.finishedMicros() - result.startedMicros());
  }

  /** Takes the outcomes so far and removes their tasks; a task that runs remains. */
  synchronized WorkerEvent.SlotFree take(WorkerStats stats) {
    stats.finished(inHand.header().run(), forGood, failedForGood);
    left.or(givenUp);
    WorkerEvent.SlotFree taken =
        new WorkerEvent.SlotFree(
            slot,
            inHand.key(),
            Positions.of(finished),
            bytes,
            Positions.of(left),
            Positions.of(killed),
            samples.list(),
            Positions.of(failed));
    left.clear();
    givenUp.clear();
    killed.clear();
    finished = new BitSet();
    failed = new BitSet();
    samples = new Samples();
    bytes = 0;
    forGood = 0;
    failedForGood = 0;
    return taken;
  }
}
