package io.cloudkon.simulator.faults;

import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.simulator.world.BugHook;
import java.util.Map;
import java.util.TreeMap;

/** Clients that do what the production ones do not. */
final class WrongClient {
  private WrongClient() {}

  /** See {@link Bug#CHILDREN_FORGOTTEN}. */
  static final class ChildrenForgotten implements BugHook {
    @Override
    public Map<String, Claim> shown(Map<String, Claim> claims) {
      Map<String, Claim> childless = new TreeMap<>();
      claims.forEach((id, claim) -> childless.put(id, childless(claim)));
      return childless;
    }

    private static Claim childless(Claim of) {
      return new Claim(
          of.id(),
          of.state(),
          of.owner(),
          of.nonce(),
          of.attempt(),
          of.seq(),
          of.releases(),
          of.leaseEnd(),
          of.started(),
          of.done(),
          new TreeMap<>(),
          of.ttl());
    }
  }

  /** See {@link Bug#RETRIED_UNDER_NEW_ID}. */
  static final class RetriedUnderNewId implements BugHook {
    @Override
    public boolean retriesUnderNewId() {
      return true;
    }
  }

  /** See {@link Bug#LOST_FINAL_AT_ONCE}. */
  static final class LostFinalAtOnce implements BugHook {
    @Override
    public boolean lostIsFinal() {
      return true;
    }
  }

  /** See {@link Bug#RESULTS_DELETED_EARLY}. */
  static final class ResultsDeletedEarly implements BugHook {
    @Override
    public boolean deletesBeforeWriting() {
      return true;
    }
  }

  /** See {@link Bug#STORED_RESULTS_CANCELLED}. */
  static final class StoredResultsCancelled implements BugHook {
    @Override
    public boolean looksIntoBucket() {
      return false;
    }
  }

  /** See {@link Bug#FAILED_RECEIVE_TAKEN_AS_EMPTY}. */
  static final class FailedReceiveTakenAsEmpty implements BugHook {
    @Override
    public boolean takesFailureForEmpty() {
      return true;
    }
  }
}
