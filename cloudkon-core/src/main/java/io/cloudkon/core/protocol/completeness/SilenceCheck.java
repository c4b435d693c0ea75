package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.BundleIds;
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
 * Looks after bundles that have been silent for too long: reads their claims, and judges by them.
 * Tasks handed to a child are judged by the child's claim.
 */
final class SilenceCheck {
  /** How many claims are read in one call at most. */
  static final int READS = 100;

  private final String run;
  private final String epoch;
  private final boolean claims;
  private final CompletenessSettings settings;
  private final BundleTable bundles;
  private final TaskAccount tasks;
  private final Quiet quiet;

  /** Claims being read, with the ordinals that each answers for. */
  private final Map<String, int[]> asked = new HashMap<>();

  private int lookedFrom;

  SilenceCheck(
      String run,
      String epoch,
      boolean claims,
      CompletenessSettings settings,
      BundleTable bundles,
      TaskAccount tasks,
      Quiet quiet) {
    this.run = run;
    this.epoch = epoch;
    this.claims = claims;
    this.settings = settings;
    this.bundles = bundles;
    this.tasks = tasks;
    this.quiet = quiet;
  }

  /** Asks for the claims of the next bundles that are too quiet. */
  List<CompletenessEffect> look(Moment now) {
    List<String> ids = new ArrayList<>();
    List<CompletenessEffect> effects = new ArrayList<>();
    int looked = 0;
    while (looked++ < bundles.size() && ids.size() < READS) {
      int sequence = lookedFrom % bundles.size();
      lookedFrom = sequence + 1;
      if (!bundles.tooQuiet(sequence, now.seconds())) {
        continue;
      }
      bundles.looked(sequence, now.seconds(), settings.silenceSeconds());
      String id = BundleIds.of(run, epoch, sequence);
      int first = bundles.first(sequence);
      int[] ordinals = IntStream.range(first, first + bundles.count(sequence)).toArray();
      if (claims) {
        asked.put(id, ordinals);
        ids.add(id);
      } else {
        resendIfOld(id, ordinals, now, effects);
      }
    }
    if (!ids.isEmpty()) {
      effects.add(new CompletenessEffect.ReadClaims(ids));
    }
    return effects;
  }

  /** Judges by the claims as they stand; what does not exist is missing. */
  List<CompletenessEffect> judge(List<String> ids, Map<String, Claim> found, Moment now) {
    List<CompletenessEffect> effects = new ArrayList<>();
    List<String> children = new ArrayList<>();
    for (String id : ids) {
      int[] ordinals = asked.remove(id);
      if (ordinals != null) {
        judge(id, ordinals, found.get(id), now, effects, children);
      }
    }
    for (int from = 0; from < children.size(); from += READS) {
      int to = Math.min(children.size(), from + READS);
      effects.add(new CompletenessEffect.ReadClaims(List.copyOf(children.subList(from, to))));
    }
    return effects;
  }

  /** What the blob store had was offered. */
  List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked, Moment now) {
    int[] missing = tasks.missing(asked.ordinals());
    if (missing.length == 0) {
      return List.of();
    }
    // The results may have been accepted a moment ago: that it was quiet before says nothing.
    quiet.disturbed(now);
    IntStream.of(missing).forEach(tasks::makeProvisional);
    return List.of(new CompletenessEffect.ProvisionalLost(missing, asked.claim()));
  }

  /** Every bundle that was sent is looked at next time; without claims it is then sent again. */
  void expectNothing(Moment now) {
    for (int sequence = 0; sequence < bundles.size(); sequence++) {
      if (bundles.missing(sequence) > 0) {
        bundles.doubt(sequence, now.seconds());
        if (!claims) {
          bundles.sentAt(sequence, now.seconds() - (int) (settings.resend() / 1000));
        }
      }
    }
  }

  /** They could not be read: their bundles are looked at again in their turn. */
  void forget(List<String> ids) {
    ids.forEach(asked::remove);
  }

  private void judge(
      String id,
      int[] ordinals,
      @Nullable Claim claim,
      Moment now,
      List<CompletenessEffect> effects,
      List<String> children) {
    if (claim == null) {
      // Still queued, unless the queue has forgotten it.
      resendIfOld(id, ordinals, now, effects);
      return;
    }
    claim
        .children()
        .forEach((k, child) -> {
          int[] theirs = ordinals(child.tasks(), ordinals);
          if (tasks.missing(theirs).length > 0) {
            String childId = BundleIds.child(id, k);
            asked.put(childId, theirs);
            children.add(childId);
          }
        });
    Positions all = Positions.range(0, ordinals.length);
    int[] missing = tasks.missing(ordinals(all.minus(claim.handedOn()), ordinals));
    if (missing.length == 0) {
      return;
    }
    if (claim.state() == ClaimState.DONE) {
      effects.add(new CompletenessEffect.FetchResults(missing, claim));
    } else if (claim.state() == ClaimState.RELEASED
        || claim.leaseEnd() < now.service() - settings.margin()) {
      resendIfOld(id, ordinals, now, effects);
    }
  }

  private static int[] ordinals(Positions positions, int[] ordinals) {
    return positions.stream().filter(p -> p < ordinals.length).map(p -> ordinals[p]).toArray();
  }

  private void resendIfOld(
      String id, int[] ordinals, Moment now, List<CompletenessEffect> effects) {
    int sequence = BundleIds.sequence(id);
    if (now.seconds() - bundles.sentAt(sequence) >= settings.resend() / 1000) {
      bundles.sent(sequence, now.seconds(), settings.silenceSeconds());
      effects.add(new CompletenessEffect.Resend(id, ordinals));
    }
  }
}
