package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.completeness.CompletenessPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The client's account of its run (section 5 of the protocol): one final result for each task,
 * whatever comes twice, late or never. Pure; used by one thread at a time. Memory: a few bits for
 * each task, a few bytes for each bundle.
 */
public final class CompletenessMachine {
  /** What to do with a result that came. */
  public enum Verdict {
    /** The task's final result: write it. */
    FINAL,
    /** A LOST that a real result may still replace: journal it. */
    PROVISIONAL,
    /** The task has its result: drop this one. */
    DUPLICATE,
    /** No task of this run. */
    FOREIGN
  }

  /** How many claims are read in one call at most. */
  static final int READS = 100;

  private final String run;
  private final String epoch;
  private final boolean claims;
  private final CompletenessSettings settings;
  private final BundleTable bundles = new BundleTable();
  private final BitSet finals = new BitSet();
  private final BitSet provisional = new BitSet();

  /** Claims being read, with the ordinals that each answers for. */
  private final Map<String, int[]> asked = new HashMap<>();

  private CompletenessPhase phase = CompletenessPhase.TABLE.start();
  private int tasks;
  private int finalCount;
  private int provisionalCount;

  /**
   * Since when receives have come back empty, and until when; an empty one that began before
   * quietFrom proves nothing.
   */
  private long emptySince = Long.MAX_VALUE;

  private long emptyUntil;
  private long quietFrom = Long.MIN_VALUE;
  private int lookedFrom;

  /**
   * A run of which nothing was sent.
   *
   * @param claims whether its bundles are guarded by claims
   */
  public CompletenessMachine(
      String run, String epoch, boolean claims, CompletenessSettings settings) {
    this.run = run;
    this.epoch = epoch;
    this.claims = claims;
    this.settings = settings;
  }

  public CompletenessPhase phase() {
    return phase;
  }

  /** Tasks put into bundles so far. */
  public int tasks() {
    return tasks;
  }

  /** Tasks that have their final result. */
  public int finished() {
    return finalCount;
  }

  /** Tasks that are LOST unless a result still comes. */
  public int provisionallyLost() {
    return provisionalCount;
  }

  // ---- sending

  /** The next tasks, in order, become a bundle; gives its sequence number. */
  public int bundle(int count) {
    int sequence = bundles.add(tasks, count);
    tasks += count;
    return sequence;
  }

  /** The request queue accepted the bundle. */
  public void sent(int sequence, Moment now) {
    bundles.sent(sequence, seconds(now), (int) (settings.silence() / 1000));
  }

  /** Every task was sent. */
  public List<CompletenessEffect> allSent(Moment now) {
    move(Trigger.ALL_SENT);
    return follow(now);
  }

  // ---- collecting

  /** A result came: what to do with it. {@link #follow} says what follows. */
  public Verdict offer(String bundle, int ordinal, boolean lost) {
    if (ordinal < 0 || ordinal >= tasks || !bundle.startsWith(run + '/' + epoch + '/')) {
      return Verdict.FOREIGN;
    }
    if (finals.get(ordinal)) {
      return Verdict.DUPLICATE;
    }
    if (lost) {
      if (provisional.get(ordinal)) {
        return Verdict.DUPLICATE;
      }
      provisional.set(ordinal);
      provisionalCount++;
      return Verdict.PROVISIONAL;
    }
    if (provisional.get(ordinal)) {
      provisional.clear(ordinal);
      provisionalCount--;
    }
    makeFinal(ordinal);
    return Verdict.FINAL;
  }

  /** A bundle, or a child of it, gave a sign of life. */
  public void heard(String bundle, Moment now) {
    int sequence = BundleIds.sequence(bundle);
    if (bundles.has(sequence)) {
      bundles.heard(sequence, seconds(now), (int) (settings.silence() / 1000));
    }
  }

  /**
   * The tasks of a whole bundle, or child of it, that have no result yet: for an answer that
   * concerns it as a whole.
   */
  public int[] open(String bundle) {
    int sequence = BundleIds.sequence(bundle);
    if (!bundle.startsWith(run + '/' + epoch + '/') || !bundles.has(sequence)) {
      return new int[0];
    }
    int first = bundles.first(sequence);
    return IntStream.range(first, first + bundles.count(sequence))
        .filter(ordinal -> !finals.get(ordinal))
        .toArray();
  }

  /** Whether every task of the bundle, those of its children included, has its final result. */
  public boolean closed(int sequence) {
    return !bundles.has(sequence) || bundles.missing(sequence) == 0;
  }

  /** A receive came back, with so many messages; it began at the given moment. */
  public void received(int messages, Moment begun, Moment now) {
    if (messages > 0) {
      disturbed(now);
    } else if (begun.mono() >= quietFrom) {
      emptySince = Math.min(emptySince, begun.mono());
      emptyUntil = now.mono();
    }
  }

  /** A receive failed: what it may have hidden comes again only after the receive visibility. */
  public void receiveFailed(Moment now) {
    disturbed(now);
  }

  /** Waiting for late results begins anew. */
  private void disturbed(Moment now) {
    emptySince = Long.MAX_VALUE;
    quietFrom = now.mono();
  }

  /** What follows from where things stand; to be called after results and from time to time. */
  public List<CompletenessEffect> follow(Moment now) {
    List<CompletenessEffect> effects = new ArrayList<>();
    if (phase == CompletenessPhase.COLLECTING || phase == CompletenessPhase.GRACE) {
      if (finalCount == tasks) {
        move(Trigger.ALL_FINAL);
        effects.add(new CompletenessEffect.Complete());
        return effects;
      }
      if (phase == CompletenessPhase.COLLECTING && finalCount + provisionalCount == tasks) {
        move(Trigger.ONLY_LOST_LEFT);
      }
      if (phase == CompletenessPhase.GRACE && graceOver()) {
        move(Trigger.GRACE_OVER);
        int[] lost = provisional.stream().toArray();
        for (int ordinal : lost) {
          makeFinal(ordinal);
        }
        provisional.clear();
        provisionalCount = 0;
        effects.add(new CompletenessEffect.FinalLost(lost));
        effects.add(new CompletenessEffect.Complete());
      }
    }
    return effects;
  }

  private boolean graceOver() {
    return emptySince != Long.MAX_VALUE && emptyUntil - emptySince >= settings.grace();
  }

  // ---- silence

  /** Looks for bundles that were silent for too long; to be called every few seconds. */
  public List<CompletenessEffect> lookForSilence(Moment now) {
    List<String> ids = new ArrayList<>();
    List<CompletenessEffect> effects = new ArrayList<>();
    int looked = 0;
    while (looked++ < bundles.size() && ids.size() < READS) {
      int sequence = lookedFrom % bundles.size();
      lookedFrom = sequence + 1;
      if (!bundles.tooQuiet(sequence, seconds(now))) {
        continue;
      }
      bundles.looked(sequence, seconds(now), (int) (settings.silence() / 1000));
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

  /** The claims asked for, as they stand; what does not exist is missing. */
  public List<CompletenessEffect> claimsRead(
      List<String> ids, Map<String, Claim> found, Moment now) {
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

  /** Claims could not be read: their bundles are looked at again in their turn. */
  public void readFailed(List<String> ids) {
    ids.forEach(asked::remove);
  }

  private void judge(
      String id,
      int[] ordinals,
      @org.jspecify.annotations.Nullable Claim claim,
      Moment now,
      List<CompletenessEffect> effects,
      List<String> children) {
    if (claim == null) {
      // Still queued, unless the queue has forgotten it.
      resendIfOld(id, ordinals, now, effects);
      return;
    }
    Positions handedOn = claim.handedOn();
    claim
        .children()
        .forEach((k, child) -> {
          int[] theirs =
              child.tasks().stream()
                  .filter(p -> p < ordinals.length)
                  .map(p -> ordinals[p])
                  .toArray();
          if (missingAny(theirs)) {
            String childId = BundleIds.child(id, k);
            asked.put(childId, theirs);
            children.add(childId);
          }
        });
    int[] own =
        IntStream.range(0, ordinals.length)
            .filter(p -> !handedOn.contains(p))
            .map(p -> ordinals[p])
            .toArray();
    if (!missingAny(own)) {
      return;
    }
    if (claim.state() == ClaimState.DONE) {
      lose(own, claim, now, effects);
    } else if (claim.state() == ClaimState.RELEASED
        || claim.leaseEnd() < now.service() - settings.margin()) {
      resendIfOld(id, ordinals, now, effects);
    }
  }

  private void lose(int[] own, Claim claim, Moment now, List<CompletenessEffect> effects) {
    int[] lost = IntStream.of(own).filter(o -> !finals.get(o) && !provisional.get(o)).toArray();
    for (int ordinal : lost) {
      provisional.set(ordinal);
      provisionalCount++;
    }
    if (lost.length > 0) {
      // The result may have been accepted a moment ago: what was quiet before says nothing about
      // it.
      disturbed(now);
      effects.add(new CompletenessEffect.ProvisionalLost(lost, claim));
    }
  }

  private void resendIfOld(
      String id, int[] ordinals, Moment now, List<CompletenessEffect> effects) {
    int sequence = BundleIds.sequence(id);
    if (seconds(now) - bundles.sentAt(sequence) >= settings.resend() / 1000) {
      bundles.sent(sequence, seconds(now), (int) (settings.silence() / 1000));
      effects.add(new CompletenessEffect.Resend(id, ordinals));
    }
  }

  private boolean missingAny(int[] ordinals) {
    return IntStream.of(ordinals).anyMatch(o -> !finals.get(o) && !provisional.get(o));
  }

  private void makeFinal(int ordinal) {
    finals.set(ordinal);
    finalCount++;
    bundles.got(bundles.bundleOf(ordinal));
  }

  private static int seconds(Moment now) {
    return (int) (now.mono() / 1000);
  }

  private void move(Trigger trigger) {
    phase = CompletenessPhase.TABLE.next(phase, trigger);
  }
}
