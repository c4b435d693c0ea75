package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event for a worker as the sub-worker of gangs. */
public sealed interface SubWorkerEvent {

  /**
   * An offered rank from a message of the queue of ranks.
   *
   * @param handle the receipt handle
   * @param job the bundle id of the job for which its gang forms
   * @param deadline when the offer expires; service clock, epoch milliseconds
   */
  record Offer(String handle, String gang, String job, int rank, long deadline) {}

  /** Offers arrived. */
  record Offered(List<Offer> offers) implements SubWorkerEvent {}

  /**
   * The worker now keeps this number of slots for ranks, including those that ranks use.
   *
   * @param question the number of the last {@link SubWorkerEffect.WantSlots} that it had seen
   * @param soon the number of further slots that will probably be free in a moment
   */
  record SlotsKept(long question, int kept, int soon) implements SubWorkerEvent {}

  /**
   * A manager answered a registration.
   *
   * @param asked the requested ranks
   * @param accepted those that belong to this worker
   * @param leaseMillis the remaining time of the manager's lease
   * @param begun when the request was made
   */
  record Welcomed(
      String gang, List<Integer> asked, List<Integer> accepted, long leaseMillis, Moment begun)
      implements SubWorkerEvent {}

  /** A manager could not be reached or refused the call: this worker does not get the ranks. */
  record RegisterFailed(String gang, List<Integer> asked) implements SubWorkerEvent {}

  /**
   * A manager does not give this worker the ranks because it could not call it back: they are for
   * other workers.
   */
  record Unreached(String gang, List<Integer> asked) implements SubWorkerEvent {}

  /**
   * A manager answered a heartbeat.
   *
   * @param told the number of ended ranks that the heartbeat reported
   */
  record Answered(String gang, boolean known, long leaseMillis, int told, Moment begun)
      implements SubWorkerEvent {}

  /** A manager did not answer a heartbeat. */
  record BeatFailed(String gang) implements SubWorkerEvent {}

  /**
   * A manager orders ranks to start; answered by {@link SubWorkerEffect.StartAnswer}.
   *
   * @param call the id of the call
   */
  record StartOrdered(long call, String gang, String job, int attempt, List<Integer> ranks)
      implements SubWorkerEvent {}

  /** A manager orders ranks to be stopped. */
  record KillOrdered(String gang, String job, int attempt) implements SubWorkerEvent {}

  /** A manager dissolved its gang. */
  record DissolveOrdered(String gang) implements SubWorkerEvent {}

  /** A rank has ended here, by itself or because it was stopped. */
  record RankEnded(String gang, GangEvent.Ended end) implements SubWorkerEvent {}

  /** The reservation as it is known now; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements SubWorkerEvent {}

  /** The ledger answered a report of kept slots; {@code accepted} is false if it refused. */
  record KeepAnswered(String job, int slots, boolean accepted) implements SubWorkerEvent {}

  /** The worker drains: it takes no more ranks, and running ones may finish. */
  record Drain() implements SubWorkerEvent {}

  /** The worker ends at once. */
  record Kill() implements SubWorkerEvent {}

  /**
   * The worker is sick: it takes no more ranks, keeps no slots for them and leaves its gangs as
   * when it drains, until it recovers.
   */
  record FellSick() implements SubWorkerEvent {}

  /** The worker has recovered. */
  record Recovered() implements SubWorkerEvent {}

  /** Time has passed. */
  record Tick() implements SubWorkerEvent {}
}
