package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event for a worker as the sub-worker of gangs. */
public sealed interface SubWorkerEvent {

  /**
   * One offered rank, as a message of the queue of ranks brought it.
   *
   * @param handle names the receive
   * @param job the bundle id of the job for which its gang forms
   * @param deadline when it is void; service clock, epoch milliseconds
   */
  record Offer(String handle, String gang, String job, int rank, long deadline) {}

  /** Offers came. */
  record Offered(List<Offer> offers) implements SubWorkerEvent {}

  /**
   * The worker keeps so many slots for ranks now, those that ranks have included.
   *
   * @param question the number of the last {@link SubWorkerEffect.WantSlots} that it knew of
   */
  record SlotsKept(long question, int kept) implements SubWorkerEvent {}

  /**
   * A manager answered a registration.
   *
   * @param asked for which ranks
   * @param accepted those that are this worker's
   * @param leaseMillis for how long the manager's lease still ran
   * @param begun when it was asked
   */
  record Welcomed(
      String gang, List<Integer> asked, List<Integer> accepted, long leaseMillis, Moment begun)
      implements SubWorkerEvent {}

  /** A manager could not be asked, or refused to talk: the ranks are nobody's here. */
  record RegisterFailed(String gang, List<Integer> asked) implements SubWorkerEvent {}

  /**
   * A manager answered a beat.
   *
   * @param told how many ended ranks it was told of
   */
  record Answered(String gang, boolean known, long leaseMillis, int told, Moment begun)
      implements SubWorkerEvent {}

  /** A manager did not answer a beat. */
  record BeatFailed(String gang) implements SubWorkerEvent {}

  /**
   * A manager orders ranks to start; answered by {@link SubWorkerEffect.StartAnswer}.
   *
   * @param call names the question
   */
  record StartOrdered(long call, String gang, String job, int attempt, List<Integer> ranks)
      implements SubWorkerEvent {}

  /** A manager orders ranks to end. */
  record KillOrdered(String gang, String job, int attempt) implements SubWorkerEvent {}

  /** A manager dissolved its gang. */
  record DissolveOrdered(String gang) implements SubWorkerEvent {}

  /** A rank has ended here: by itself, or as it was told to. */
  record RankEnded(String gang, GangEvent.Ended end) implements SubWorkerEvent {}

  /** What is known of the reservation; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements SubWorkerEvent {}

  /** The ledger answered how many slots it counts as kept by this worker; false if it refused. */
  record KeepAnswered(String job, int slots, boolean accepted) implements SubWorkerEvent {}

  /** The worker leaves: no more ranks, those that run may end. */
  record Drain() implements SubWorkerEvent {}

  /** The worker leaves at once. */
  record Kill() implements SubWorkerEvent {}

  /** Time went by. */
  record Tick() implements SubWorkerEvent {}
}
