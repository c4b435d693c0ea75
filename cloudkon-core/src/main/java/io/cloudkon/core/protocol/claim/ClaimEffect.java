package io.cloudkon.core.protocol.claim;

/** An action that the claim's machine requests, or information for the bundle's machine. */
public sealed interface ClaimEffect {

  /** A call of the store, whose answer is reported as an event. */
  sealed interface Call extends ClaimEffect {}

  /** Call {@code ClaimStore.acquire}. */
  record Acquire(Acquisition acquisition) implements Call {}

  /** Call {@code ClaimStore.write}. */
  record Write(ClaimWrite write) implements Call {}

  /**
   * Call {@code ClaimStore.survive} until it is answered, for as long as the worker is alive, and
   * before this worker requests that claim again. Nobody waits for the answer. Not used for an
   * attempt whose release was under way, because the release may have taken effect and the attempt
   * would be subtracted twice.
   *
   * @param id the id of the claim
   * @param attempt the attempt that was lost
   */
  record Survive(String id, int attempt) implements Call {}

  /** Information for the bundle's machine. */
  sealed interface News extends ClaimEffect {}

  /** This owner has the claim, to run the tasks that are not recorded in it. */
  record Granted(Claim claim) implements News {}

  /** This owner has the claim, only to settle it. */
  record GrantedLosing(Claim claim) implements News {}

  /** Everything was already done, and the message is left over. */
  record SawDone() implements News {}

  /**
   * Another owner has a valid lease.
   *
   * @param untilService when it is certain to have expired unless it is renewed; service clock,
   *     epoch milliseconds
   */
  record SawOther(long untilService) implements News {}

  /** A write was accepted, and its content is durable. */
  record Durable() implements News {}

  /** DONE is written. */
  record Ended() implements News {}

  /** The release is written. */
  record Released() implements News {}

  /** The claim is lost: stop running tasks and do nothing more. */
  record Lost() implements News {}
}
