package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessPhase.Trigger;
import io.cloudkon.core.time.Moment;
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

  private final String prefix;
  private final CompletenessSettings settings;
  private final BundleTable bundles = new BundleTable();
  private final TaskAccount account = new TaskAccount();
  private final Quiet quiet = new Quiet();
  private final SilenceCheck silence;
  private CompletenessPhase phase = CompletenessPhase.TABLE.start();
  private long grace;
  private int tasks;

  /**
   * A run of which nothing was sent, with one claim for each bundle.
   *
   * @param claims whether its bundles are guarded by claims
   */
  public CompletenessMachine(
      String run, String epoch, boolean claims, CompletenessSettings settings) {
    this(run, epoch, claims, ClaimScope.BUNDLE, settings);
  }

  /**
   * A run of which nothing was sent.
   *
   * @param claims whether its tasks are guarded by claims
   * @param scope what one claim guards, if there are claims
   */
  public CompletenessMachine(
      String run, String epoch, boolean claims, ClaimScope scope, CompletenessSettings settings) {
    this.prefix = run + '/' + epoch + '/';
    this.settings = settings;
    this.grace = settings.grace();
    this.silence = new SilenceCheck(run, epoch, claims, scope, settings, bundles, account, quiet);
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
    return account.finalCount();
  }

  /** Tasks that are LOST unless a result still comes. */
  public int provisionallyLost() {
    return account.provisionalCount();
  }

  /** From here on what is LOST waits for the run's former response queues as well. */
  public void waitFor(QuietElsewhere formerQueues) {
    quiet.alsoWaitFor(formerQueues);
  }

  // ---- sending

  /** The next tasks, in order, become a bundle; gives its sequence number. */
  public int bundle(int count) {
    int sequence = bundles.add(tasks, count);
    tasks += count;
    return sequence;
  }

  /**
   * The next task becomes a bundle that is an HPC job: guarded by a claim for the bundle in every
   * mode. Gives its sequence number.
   */
  public int job() {
    int sequence = bundle(1);
    bundles.job(sequence);
    return sequence;
  }

  /** The request queue accepted the bundle. */
  public void sent(int sequence, Moment now) {
    bundles.sent(sequence, now.seconds(), settings.silenceSeconds());
  }

  /** Every task was sent. */
  public List<CompletenessEffect> allSent(Moment now) {
    move(Trigger.ALL_SENT);
    return follow(now);
  }

  // ---- collecting

  /** A result came: what to do with it. {@link #follow} says what follows. */
  public Verdict offer(String bundle, int ordinal, boolean lost) {
    if (ordinal < 0 || ordinal >= tasks || !bundle.startsWith(prefix)) {
      return Verdict.FOREIGN;
    }
    if (account.isFinal(ordinal) || (lost && !account.missing(ordinal))) {
      return Verdict.DUPLICATE;
    }
    if (lost) {
      account.makeProvisional(ordinal);
      return Verdict.PROVISIONAL;
    }
    makeFinal(ordinal);
    return Verdict.FINAL;
  }

  /** Whether the task has its final result; false for one that is in no bundle yet. */
  public boolean isFinal(int ordinal) {
    return account.isFinal(ordinal);
  }

  /** A bundle, or a child of it, gave a sign of life. */
  public void heard(String bundle, Moment now) {
    int sequence = BundleIds.sequence(bundle);
    if (bundles.has(sequence)) {
      bundles.heard(sequence, now.seconds(), settings.silenceSeconds());
    }
  }

  /** The tasks of a bundle or child without a result: for an answer that concerns it as a whole. */
  public int[] open(String bundle) {
    int sequence = BundleIds.sequence(bundle);
    if (!bundle.startsWith(prefix) || !bundles.has(sequence)) {
      return new int[0];
    }
    return IntStream.of(range(sequence)).filter(ordinal -> !account.isFinal(ordinal)).toArray();
  }

  /** All tasks of a bundle, those of its children included; none if there is no such bundle. */
  public int[] range(int sequence) {
    if (!bundles.has(sequence)) {
      return new int[0];
    }
    int first = bundles.first(sequence);
    return IntStream.range(first, first + bundles.count(sequence)).toArray();
  }

  /** Whether every task of the bundle, those of its children included, has its final result. */
  public boolean closed(int sequence) {
    return !bundles.has(sequence) || bundles.missing(sequence) == 0;
  }

  /** A receive came back, with so many messages; it began at the given moment. */
  public void received(int messages, Moment begun, Moment now) {
    quiet.received(messages, begun, now);
  }

  /** A receive failed: what it may have hidden comes again only after the receive visibility. */
  public void receiveFailed(Moment now) {
    quiet.disturbed(now);
  }

  /** What follows from where things stand; to be called after results and from time to time. */
  public List<CompletenessEffect> follow(Moment now) {
    return switch (phase) {
      case SENDING, COMPLETE -> List.of();
      case COLLECTING, GRACE -> {
        if (account.finalCount() == tasks) {
          move(Trigger.ALL_FINAL);
          yield List.of(new CompletenessEffect.Complete());
        }
        if (phase == CompletenessPhase.COLLECTING
            && account.finalCount() + account.provisionalCount() == tasks) {
          move(Trigger.ONLY_LOST_LEFT);
        }
        yield phase == CompletenessPhase.GRACE && quiet.lasted(grace, now)
            ? giveUpWaiting()
            : List.of();
      }
    };
  }

  private List<CompletenessEffect> giveUpWaiting() {
    move(Trigger.GRACE_OVER);
    int[] lost = account.provisional();
    for (int ordinal : lost) {
      makeFinal(ordinal);
    }
    return List.of(new CompletenessEffect.FinalLost(lost), new CompletenessEffect.Complete());
  }

  // ---- after a resume

  /** The run was another client's, which may wake and receive once more: LOST takes longer. */
  public void resumed() {
    grace = settings.grace() + settings.former();
  }

  /** The task has had its final result since before the resume; said of any task more than once. */
  public void restoreFinal(int ordinal) {
    if (!account.isFinal(ordinal)) {
      makeFinal(ordinal);
    }
  }

  /** The task was LOST before the resume unless a result still comes: its wait begins anew. */
  public void restoreLost(int ordinal) {
    if (account.missing(ordinal)) {
      account.makeProvisional(ordinal);
    }
  }

  /**
   * The request queue accepted the bundle before the resume. Silence counts from now, unless the
   * queue may have forgotten it.
   *
   * @param millisAgo how long ago that was
   */
  public void restoreSent(int sequence, long millisAgo, Moment now) {
    boolean old = millisAgo >= settings.resend();
    bundles.sent(sequence, now.seconds(), old ? 0 : settings.silenceSeconds());
    bundles.sentAt(sequence, now.seconds() - (int) (millisAgo / 1000));
  }

  // ---- silence

  /**
   * Results may have been lost on their way, as with a response queue that is gone: every bundle is
   * looked at when next it is looked for silence. Those that no claim guards are sent again.
   */
  public void lookAtAll(Moment now) {
    silence.expectNothing(now);
  }

  /** Looks for bundles that were silent for too long; to be called every few seconds. */
  public List<CompletenessEffect> lookForSilence(Moment now) {
    return silence.look(now);
  }

  /** The claims asked for, as they stand; what does not exist is missing. */
  public List<CompletenessEffect> claimsRead(
      List<String> ids, Map<String, Claim> found, Moment now) {
    return silence.judge(ids, found, now);
  }

  /**
   * What the blob store has of these results was offered: what is missing still is LOST unless it
   * comes.
   */
  public List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked, Moment now) {
    return silence.fetched(asked, now);
  }

  /** The blob store could not be asked for these results: they are looked for again soon. */
  public void fetchFailed(CompletenessEffect.FetchResults asked, Moment now) {
    silence.fetchFailed(asked, now);
  }

  /**
   * The request queue accepted what {@link CompletenessEffect.Resend} asked for. What is not said
   * to be accepted is looked at again within a few seconds.
   *
   * @param id the bundle's or child's
   */
  public void resent(String id, Moment now) {
    silence.resent(id, now);
  }

  /** Claims could not be read: their bundles are looked at again soon. */
  public void readFailed(List<String> ids, Moment now) {
    silence.readFailed(ids, now);
  }

  private void makeFinal(int ordinal) {
    account.makeFinal(ordinal);
    bundles.got(bundles.bundleOf(ordinal));
  }

  private void move(Trigger trigger) {
    phase = CompletenessPhase.TABLE.next(phase, trigger);
  }
}
