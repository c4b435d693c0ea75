package io.cloudkon.core.protocol.claim;

/** An action that the claim's machine asks for, or a finding. */
public sealed interface ClaimEffect {

  /** Call the store; the answer comes back as an event. */
  sealed interface Call extends ClaimEffect {}

  /** Call {@code ClaimStore.acquire}. */
  record Acquire(Acquisition acquisition) implements Call {}

  /** Call {@code ClaimStore.write}. */
  record Write(ClaimWrite write) implements Call {}

  /**
   * Call {@code ClaimStore.survive} until it is answered, for as long as the worker lives, and
   * before this worker asks for that claim again. Nobody waits for the answer. Not wanted of an
   * attempt whose release was under way: that may have taken effect, and would count twice.
   *
   * @param id the claim's
   * @param attempt the one that was lost
   */
  record Survive(String id, int attempt) implements Call {}

  /** What the bundle's machine is told. */
  sealed interface News extends ClaimEffect {}

  /** The claim is mine, to run what is not recorded in it. */
  record Granted(Claim claim) implements News {}

  /** The claim is mine, to settle only. */
  record GrantedLosing(Claim claim) implements News {}

  /** Everything was done already: the message is left over. */
  record SawDone() implements News {}

  /**
   * Somebody else has a live lease.
   *
   * @param untilService when it is certain to be over unless it is renewed; service clock, epoch
   *     milliseconds
   */
  record SawOther(long untilService) implements News {}

  /** A write was accepted: what it carried is durable. */
  record Durable() implements News {}

  /** DONE is written. */
  record Ended() implements News {}

  /** The release is written. */
  record Released() implements News {}

  /** No longer mine: kill what runs, and do nothing more. */
  record Lost() implements News {}
}
