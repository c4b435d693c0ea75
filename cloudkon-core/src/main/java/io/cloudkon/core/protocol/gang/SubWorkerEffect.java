package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.List;

/** An action that a sub-worker's machine asks for. */
public sealed interface SubWorkerEffect {

  /**
   * Keep this number of slots for ranks as they become free; answered by {@code SlotsKept}, at once
   * and whenever another slot is kept.
   *
   * @param question the number of this request, one higher each time
   */
  record WantSlots(long question, int slots) implements SubWorkerEffect {}

  /**
   * Request these ranks from the gang's manager.
   *
   * @param until the time by the services' clock, in milliseconds, up to which the request is
   *     repeated that is not answered in time
   */
  record Register(String gang, List<Integer> ranks, long until) implements SubWorkerEffect {

    /**
     * Whether a request is made again. One whose answer may be lost is made twice; one that timed
     * out is made for as long as the gang may fill, because first calls between two workers that
     * have just started can take seconds, and a worker that has given up a gang never rejoins it.
     *
     * @param tries the number of tries so far
     * @param timedOut whether the last one had no answer in time
     */
    public boolean isRepeated(int tries, boolean timedOut, Moment now) {
      return tries < 2 || (timedOut && now.service() < until);
    }
  }

  /** Delete these offers, which were taken, refused or have expired. */
  record DeleteOffers(List<String> handles) implements SubWorkerEffect {}

  /** Make these offers visible to others at once, because there is no slot for them here. */
  record PutBackOffers(List<String> handles) implements SubWorkerEffect {}

  /**
   * Send a heartbeat to the gang's manager with the ranks that have ended.
   *
   * @param leaving whether it drains
   */
  record Beat(String gang, List<GangEvent.Ended> ended, boolean leaving)
      implements SubWorkerEffect {}

  /**
   * Answer an order to start: whether the ranks start, or were started by an earlier copy of the
   * order, in which case nothing starts again.
   */
  record StartAnswer(long call, String gang, boolean starts) implements SubWorkerEffect {}

  /** Stop the ranks of this job; their ends are reported like any others. */
  record KillRanks(String gang, String job, int attempt) implements SubWorkerEffect {}

  /** Forget the gang, which this worker has left. */
  record Forget(String gang) implements SubWorkerEffect {}

  /** Tell the ledger how many slots this worker keeps for the reservation's job. */
  record Keep(String job, int before, int slots) implements SubWorkerEffect {}
}
