package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks bundles that have been silent for too long by their claims. Tasks that were handed to a
 * child are checked by the child's claim.
 */
final class SilenceCheck {
  /** The maximum number of claims that are read in one call. */
  static final int READS = 100;

  /**
   * The delay, in seconds, before a bundle whose claim or results could not be read is checked
   * again.
   */
  private static final int AFTER_FAILURE_SECONDS = 30;

  /**
   * A claim that is being read.
   *
   * @param of its bundle or child
   * @param ordinals the tasks for which it is relevant
   */
  private record Asked(Silent of, int[] ordinals) {}

  private final String run;
  private final String epoch;
  private final boolean claims;
  private final ClaimScope scope;
  private final CompletenessSettings settings;
  private final BundleTable bundles;
  private final TaskAccount tasks;
  private final Quiet quiet;

  private final Map<String, Asked> asked = new HashMap<>();
  private final PendingResends unsent = new PendingResends();
  private int lookedFrom;

  SilenceCheck(
      String run,
      String epoch,
      boolean claims,
      ClaimScope scope,
      CompletenessSettings settings,
      BundleTable bundles,
      TaskAccount tasks,
      Quiet quiet) {
    this.run = run;
    this.epoch = epoch;
    this.claims = claims;
    this.scope = scope;
    this.settings = settings;
    this.bundles = bundles;
    this.tasks = tasks;
    this.quiet = quiet;
  }

  /** Requests the claims of the next bundles that are silent for too long. */
  List<CompletenessEffect> look(Moment now) {
    List<String> ids = new ArrayList<>();
    List<CompletenessEffect> effects = new ArrayList<>();
    lookAtUnsent(now, ids, effects);
    for (int left = bundles.openCount(); left > 0 && ids.size() + effects.size() < READS; left--) {
      int sequence = bundles.nextOpen(lookedFrom);
      lookedFrom = sequence + 1;
      if (!bundles.tooQuiet(sequence, now.seconds())) {
        continue;
      }
      bundles.looked(sequence, now.seconds(), settings.silenceSeconds());
      String id = BundleIds.of(run, epoch, sequence);
      if (unsent.has(id)) {
        continue;
      }
      int[] ordinals = bundles.tasks(sequence);
      boolean old = now.seconds() - bundles.sentAt(sequence) >= settings.resend() / 1000;
      if (claims(sequence)) {
        ask(new Silent(id, ordinals, old), ids);
      } else if (old) {
        resend(id, ordinals, now, effects);
      }
    }
    read(ids, effects);
    return effects;
  }

  /** Whether the bundle has a claim; HPC jobs have one in every mode. */
  private boolean claims(int sequence) {
    return claims || bundles.isJob(sequence);
  }

  /** Requests its claim, or the claims of its tasks without a result. */
  private void ask(Silent of, List<String> ids) {
    switch (bundles.isJob(BundleIds.sequence(of.id())) ? ClaimScope.BUNDLE : scope) {
      case BUNDLE -> {
        asked.put(of.id(), new Asked(of, of.ordinals()));
        ids.add(of.id());
      }
      case TASK, ONCE -> {
        for (int i = 0; i < of.ordinals().length; i++) {
          int ordinal = of.ordinals()[i];
          if (tasks.missing(ordinal)) {
            String id = BundleIds.taskClaim(of.id(), i);
            asked.put(id, new Asked(of, new int[] {ordinal}));
            ids.add(id);
          }
        }
      }
    }
  }

  private static void read(List<String> ids, List<CompletenessEffect> effects) {
    for (int from = 0; from < ids.size(); from += READS) {
      int to = Math.min(ids.size(), from + READS);
      effects.add(new CompletenessEffect.ReadClaims(List.copyOf(ids.subList(from, to))));
    }
  }

  /** Checks bundles that were to be sent again but were not accepted in time. */
  private void lookAtUnsent(Moment now, List<String> ids, List<CompletenessEffect> effects) {
    while (ids.size() + effects.size() < READS) {
      PendingResends.Due next = unsent.takeDue(now.seconds());
      if (next == null) {
        return;
      }
      String id = next.id();
      int[] ordinals = next.ordinals();
      if (IntStream.of(ordinals).allMatch(tasks::isFinal)) {
        continue;
      }
      if (claims(BundleIds.sequence(id))) {
        unsent.put(id, ordinals, now.seconds());
        ask(new Silent(id, ordinals, true), ids);
      } else {
        resend(id, ordinals, now, effects);
      }
    }
  }

  /** Evaluates the claims; claims that do not exist are missing. */
  List<CompletenessEffect> judge(List<String> ids, Map<String, Claim> found, Moment now) {
    List<CompletenessEffect> effects = new ArrayList<>();
    List<String> children = new ArrayList<>();
    for (String id : ids) {
      Asked of = asked.remove(id);
      if (of != null) {
        if (of.of().judge()) {
          unsent.remove(of.of().id());
        }
        judge(id, of, found.get(id), now, effects, children);
      }
    }
    read(children, effects);
    return effects;
  }

  /** Records that the request queue accepted a repeated send. */
  void resent(String id, Moment now) {
    int sequence = BundleIds.sequence(id);
    if (unsent.remove(id) && bundles.has(sequence)) {
      bundles.sent(sequence, now.seconds(), settings.silenceSeconds());
    }
  }

  /** Handles the end of a search in the blob store. */
  List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked, Moment now) {
    int[] missing = tasks.missing(asked.ordinals());
    if (missing.length == 0) {
      return List.of();
    }
    // The results may have been accepted a moment ago, so earlier quiet says nothing.
    quiet.disturbed(now);
    int[] recorded = tasks.missing(asked.recorded());
    IntStream.of(missing).forEach(tasks::makeProvisional);
    return List.of(new CompletenessEffect.ProvisionalLost(missing, recorded, asked.claim()));
  }

  /**
   * Handles a failed search in the blob store, which is to be repeated before the next regular
   * check.
   */
  void fetchFailed(CompletenessEffect.FetchResults asked, Moment now) {
    bundles.heard(BundleIds.sequence(asked.claim().id()), now.seconds(), AFTER_FAILURE_SECONDS);
  }

  /**
   * Makes the next check include every bundle that was sent; bundles without claims are then sent
   * again.
   */
  void expectNothing(Moment now) {
    bundles
        .open()
        .forEach(sequence -> {
          bundles.doubt(sequence, now.seconds());
          if (!claims(sequence)) {
            bundles.sentAt(sequence, now.seconds() - (int) (settings.resend() / 1000));
          }
        });
  }

  /** Handles a failed read of claims, which is to be repeated before the next regular check. */
  void readFailed(List<String> ids, Moment now) {
    for (String id : ids) {
      if (asked.remove(id) != null) {
        bundles.heard(BundleIds.sequence(id), now.seconds(), AFTER_FAILURE_SECONDS);
      }
    }
  }

  private void judge(
      String id,
      Asked of,
      @Nullable Claim claim,
      Moment now,
      List<CompletenessEffect> effects,
      List<String> children) {
    int[] ordinals = of.ordinals();
    if (claim == null) {
      // Still queued, unless the queue has dropped it.
      if (of.of().old()) {
        resend(of.of(), now, effects);
      }
      return;
    }
    claim
        .children()
        .forEach((k, child) -> {
          int[] theirs = ordinals(child.tasks(), ordinals);
          if (tasks.missing(theirs).length > 0) {
            String childId = BundleIds.child(id, k);
            asked.put(childId, new Asked(new Silent(childId, theirs, of.of().old()), theirs));
            children.add(childId);
          }
        });
    Positions all = Positions.range(0, ordinals.length);
    int[] missing = tasks.missing(ordinals(all.minus(claim.handedOn()), ordinals));
    if (missing.length == 0) {
      return;
    }
    if (claim.state() == ClaimState.DONE || endedUnwritten(claim, now)) {
      Positions kept = claim.done().minus(claim.handedOn());
      int[] recorded = tasks.missing(ordinals(kept, ordinals));
      effects.add(new CompletenessEffect.FetchResults(missing, recorded, claim));
    } else if (of.of().old()
        && (claim.state() == ClaimState.RELEASED
            || claim.leaseEnd() < now.expiredBefore(settings.margin()))) {
      resend(of.of(), now, effects);
    }
  }

  /** Whether its owner, which writes no end, has ended or died; nobody starts its task again. */
  private boolean endedUnwritten(Claim claim, Moment now) {
    return scope == ClaimScope.ONCE
        && BundleIds.positionOfClaim(claim.id()) >= 0
        && claim.state() == ClaimState.LEASED
        && claim.leaseEnd() < now.expiredBefore(settings.margin());
  }

  /** Sends a bundle again, once and as a whole, so that its tasks keep their positions. */
  private void resend(Silent of, Moment now, List<CompletenessEffect> effects) {
    if (of.resend()) {
      resend(of.id(), of.ordinals(), now, effects);
    }
  }

  private static int[] ordinals(Positions positions, int[] ordinals) {
    return positions.stream().filter(p -> p < ordinals.length).map(p -> ordinals[p]).toArray();
  }

  private void resend(String id, int[] ordinals, Moment now, List<CompletenessEffect> effects) {
    unsent.put(id, ordinals, now.seconds());
    effects.add(new CompletenessEffect.Resend(id, ordinals));
  }
}
