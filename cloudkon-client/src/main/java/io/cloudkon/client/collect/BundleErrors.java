package io.cloudkon.client.collect;

import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;
import java.util.stream.IntStream;

/** Finds the tasks to which an error about a whole bundle or child bundle applies. */
final class BundleErrors {
  private final CollectingAccount account;
  private final FollowUp followUp;

  BundleErrors(CollectingAccount account, FollowUp followUp) {
    this.account = account;
    this.followUp = followUp;
  }

  /**
   * The ordinals of its tasks without a final result. The parent's claim lists the tasks of a
   * child; for a child that no claim lists, the result is empty.
   *
   * @throws io.cloudkon.core.error.CloudKonException if a claim cannot be read
   */
  int[] open(String bundle) {
    if (BundleIds.depth(bundle) <= 0) {
      return account.open(bundle);
    }
    return IntStream.of(all(bundle)).filter(ordinal -> !account.isFinal(ordinal)).toArray();
  }

  private int[] all(String bundle) {
    if (BundleIds.depth(bundle) <= 0) {
      return account.range(BundleIds.sequence(bundle));
    }
    int end = bundle.lastIndexOf('/');
    String parent = bundle.substring(0, end);
    Claim claim = followUp.claims(List.of(parent)).get(parent);
    Child child = claim == null ? null : claim.children().get(number(bundle.substring(end + 1)));
    Positions positions = child == null ? Positions.none() : child.tasks();
    int[] theirs = positions.isEmpty() ? new int[0] : all(parent);
    return positions.stream().filter(p -> p < theirs.length).map(p -> theirs[p]).toArray();
  }

  private static int number(String k) {
    try {
      return Integer.parseInt(k);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
