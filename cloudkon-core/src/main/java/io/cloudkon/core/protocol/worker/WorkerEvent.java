package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.intake.ReceiveTimes;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** An event for a worker's machine. */
public sealed interface WorkerEvent {

  /**
   * A receive was answered.
   *
   * @param bundles the received bundles that could be decoded
   * @param begun when the receive was sent
   * @param times how long it took, and waited
   */
  record Received(List<Arrival> bundles, Moment begun, ReceiveTimes times) implements WorkerEvent {

    /** A receive whose messages were there, and that took so many microseconds. */
    public Received(List<Arrival> bundles, Moment begun, long micros) {
      this(bundles, begun, new ReceiveTimes(0, micros));
    }
  }

  /**
   * A received bundle.
   *
   * @param key its unique key within this worker
   * @param nonce the new nonce of this receive
   * @param receives how often its message was received, including this time; approximate
   */
  record Arrival(long key, Bundle bundle, String nonce, int receives) {
    /** A bundle that was received for the first time. */
    public Arrival(long key, Bundle bundle, String nonce) {
      this(key, bundle, nonce, 1);
    }
  }

  /** A receive failed temporarily. */
  record ReceiveFailed() implements WorkerEvent {}

  /**
   * A slot is free again.
   *
   * @param slot the number of the slot
   * @param bundle the bundle whose tasks it had
   * @param finished the tasks that have results
   * @param bytes the approximate size of the results in bytes
   * @param notStarted the tasks that it did not start, because it was told to stop
   * @param killed the tasks that it had to kill
   * @param samples the measured run times
   * @param failed the finished tasks that failed or timed out
   */
  record SlotFree(
      int slot,
      long bundle,
      Positions finished,
      long bytes,
      Positions notStarted,
      Positions killed,
      List<Sample> samples,
      Positions failed)
      implements WorkerEvent {

    /** A slot whose tasks all succeeded, or are not to be tried again. */
    public SlotFree(
        int slot,
        long bundle,
        Positions finished,
        long bytes,
        Positions notStarted,
        Positions killed,
        List<Sample> samples) {
      this(slot, bundle, finished, bytes, notStarted, killed, samples, Positions.none());
    }
  }

  /**
   * A slot has cut its chunk.
   *
   * @param soFar the tasks that have finished, and those that it no longer starts; one task still
   *     runs
   */
  record ChunkCut(SlotFree soFar) implements WorkerEvent {}

  /**
   * The total run time of a number of tasks of one kind.
   *
   * @param key see {@link io.cloudkon.core.protocol.durations.LearnedDurations#key}
   */
  record Sample(String key, int count, long micros) {}

  /** An event for one bundle. */
  record OfBundle(long bundle, BundleEvent event) implements WorkerEvent {}

  /** The duration of an acquisition. */
  record ClaimTook(long micros) implements WorkerEvent {}

  /**
   * Keep this number of slots for ranks of HPC jobs as they become free; answered by {@link
   * WorkerEffect.SlotsKept}.
   *
   * @param question the number of the request
   */
  record KeepSlots(long question, int slots) implements WorkerEvent {}

  /**
   * The worker cannot start tasks: from now on it receives nothing and gives back tasks that have
   * not started. Running tasks continue.
   */
  record FellSick() implements WorkerEvent {}

  /** It can start tasks again. */
  record Recovered() implements WorkerEvent {}

  /** The worker is to leave. */
  record Drain() implements WorkerEvent {}

  /** Time has passed. */
  record Tick() implements WorkerEvent {}
}
