package io.cloudkon.simulator.check;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.simulator.load.Request;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The facts about one bundle or child. */
final class BundleFacts {
  final Request of;
  @Nullable Claim claim;
  private @Nullable Losses losses;
  private String nonce = "";
  private int attempt;
  private byte[] tries = new byte[0];

  BundleFacts(Request of) {
    this.of = of;
  }

  /** The attempts at it that were lost, creating the list if needed. */
  Losses losses() {
    if (losses == null) {
      losses = new Losses();
    }
    return losses;
  }

  /** Whether its claim does not record its end, because it is written only at its start. */
  boolean endUnwritten() {
    return of.bundle().header().claim() == ClaimScope.ONCE;
  }

  /** Whether all its tasks are among these ordinals. */
  boolean allIn(BitSet ordinals) {
    return of.bundle().tasks().stream().allMatch(task -> ordinals.get(task.ordinal()));
  }

  int ordinal(int position) {
    return of.bundle().tasks().get(position).ordinal();
  }

  /** Whether a task started under this tenure of the claim. */
  boolean startedUnder(Claim hold) {
    return attempt == hold.attempt() && nonce.equals(hold.nonce());
  }

  /**
   * Records that a task starts under this tenure of the claim; returns its number of starts so far.
   */
  int startedUnder(String byNonce, int byAttempt, int position) {
    if (byAttempt != attempt || !nonce.equals(byNonce)) {
      attempt = byAttempt;
      nonce = byNonce;
      tries = new byte[of.bundle().tasks().size()];
    }
    return ++tries[position];
  }
}
