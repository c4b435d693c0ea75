package io.cloudkon.core.protocol.gang;

import java.util.List;

/** An action that a sub-worker's machine asks for. */
public sealed interface SubWorkerEffect {

  /**
   * Keep so many slots for ranks, as they fall free; answered by {@code SlotsKept}, at once and
   * whenever one more is kept.
   *
   * @param question its number, one higher each time
   */
  record WantSlots(long question, int slots) implements SubWorkerEffect {}

  /** Ask the gang's manager for these ranks. */
  record Register(String gang, List<Integer> ranks) implements SubWorkerEffect {}

  /** Delete these offers: taken, refused or void. */
  record DeleteOffers(List<String> handles) implements SubWorkerEffect {}

  /** Show these offers to others at once: there is no slot for them here. */
  record PutBackOffers(List<String> handles) implements SubWorkerEffect {}

  /**
   * Tell the gang's manager that this worker lives, and which ranks have ended.
   *
   * @param leaving whether it drains
   */
  record Beat(String gang, List<GangEvent.Ended> ended, boolean leaving)
      implements SubWorkerEffect {}

  /** Whether the ranks start, or did when the same order came before: then nothing starts again. */
  record StartAnswer(long call, String gang, String job, int attempt, boolean starts)
      implements SubWorkerEffect {}

  /** End what runs of this job; each rank that ends is told as any other is. */
  record KillRanks(String gang, String job, int attempt) implements SubWorkerEffect {}

  /** The gang is none of this worker's business any more: forget it. */
  record Forget(String gang) implements SubWorkerEffect {}

  /** Tell the ledger how many slots this worker keeps for the reservation's job. */
  record Keep(String job, int before, int slots) implements SubWorkerEffect {}
}
