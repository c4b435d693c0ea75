package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** An event for a worker's machine. */
public sealed interface WorkerEvent {

  /**
   * A receive came back.
   *
   * @param bundles what it brought and could be decoded
   * @param begun when it was sent
   * @param micros how long it took
   */
  record Received(List<Arrival> bundles, Moment begun, long micros) implements WorkerEvent {}

  /**
   * One bundle that arrived.
   *
   * @param key names it within this worker; never used before
   * @param nonce fresh for this receive
   * @param receives how often its message was received, this time included; approximate
   */
  record Arrival(long key, Bundle bundle, String nonce, int receives) {
    /** One that arrived for the first time. */
    public Arrival(long key, Bundle bundle, String nonce) {
      this(key, bundle, nonce, 1);
    }
  }

  /** A receive failed in passing. */
  record ReceiveFailed() implements WorkerEvent {}

  /**
   * A slot came back.
   *
   * @param slot which
   * @param bundle whose tasks it had
   * @param finished tasks that have results
   * @param bytes about how many bytes those results take
   * @param notStarted tasks that it did not start, as it was told to stop
   * @param killed tasks that it had to kill
   * @param samples how long what ran took
   * @param failed which of those finished failed or timed out
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
   * A slot was told that its tasks take too long.
   *
   * @param soFar what finished before, and what it does not start any more; one task still runs
   */
  record ChunkCut(SlotFree soFar) implements WorkerEvent {}

  /**
   * So many tasks of one sort took so long together.
   *
   * @param key see {@link io.cloudkon.core.protocol.durations.LearnedDurations#key}
   */
  record Sample(String key, int count, long micros) {}

  /** Something happened to one bundle. */
  record OfBundle(long bundle, BundleEvent event) implements WorkerEvent {}

  /** An acquisition took so long. */
  record ClaimTook(long micros) implements WorkerEvent {}

  /**
   * So many slots are to be kept for ranks of HPC jobs, as they fall free; answered by {@link
   * WorkerEffect.SlotsKept}.
   *
   * @param question names the question
   */
  record KeepSlots(long question, int slots) implements WorkerEvent {}

  /**
   * The worker cannot start tasks: from now on it receives nothing, and gives back what has not
   * started. What runs goes on.
   */
  record FellSick() implements WorkerEvent {}

  /** It can start tasks again. */
  record Recovered() implements WorkerEvent {}

  /** The worker is to leave. */
  record Drain() implements WorkerEvent {}

  /** Time went by. */
  record Tick() implements WorkerEvent {}
}
