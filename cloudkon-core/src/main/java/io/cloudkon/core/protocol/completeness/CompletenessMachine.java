package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The client's account of its run (section 5 of the protocol): it ensures one final result per
 * task, whatever arrives twice, late or never. Pure; used by one thread at a time. It needs a few
 * bits of memory per task and a few bytes per bundle.
 */
public final class CompletenessMachine {
  /** The decision about a received result. */
  public enum Verdict {
    /** The task's final result: write it. */
    FINAL,
    /** A LOST that a real result may still replace: write it to the journal. */
    PROVISIONAL,
    /** The task has its result: drop this one. */
    DUPLICATE,
    /** The task does not belong to this run. */
    FOREIGN
  }

  private final String prefix;
  private final CompletenessSettings settings;
  private final BundleTable bundles = new BundleTable();
  private final TaskAccount account;
  private final RunCompletion completion;
  private final SilenceCheck silence;
  private int tasks;

  /**
   * A run of which nothing was sent, with one claim per bundle.
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
   * @param scope the scope of one claim, if there are claims
   */
  public CompletenessMachine(
      String run, String epoch, boolean claims, ClaimScope scope, CompletenessSettings settings) {
    this.prefix = run + '/' + epoch + '/';
    this.settings = settings;
    Quiet quiet = new Quiet();
    LostSoFar lostSoFar = new LostSoFar(quiet);
    this.account = new TaskAccount(bundles, settings.openEnded() ? lostSoFar::add : ordinal -> {});
    this.completion = new RunCompletion(settings, account, quiet, lostSoFar);
    this.silence = new SilenceCheck(run, epoch, claims, scope, settings, bundles, account, quiet);
  }

  public CompletenessPhase phase() {
    return completion.phase();
  }

  /** The number of tasks in bundles so far. */
  public int tasks() {
    return tasks;
  }

  /** The number of tasks with a final result. */
  public int finished() {
    return account.finalCount();
  }

  /** The number of tasks that are LOST unless a result still arrives. */
  public int provisionallyLost() {
    return account.provisionalCount();
  }

  /** From now on, a LOST also waits for the run's former response queues. */
  public void waitFor(QuietElsewhere formerQueues) {
    completion.waitFor(formerQueues);
  }

  // ---- sending

  /** Makes a bundle of the next tasks, in order; returns its sequence number. */
  public int bundle(int count) {
    int sequence = bundles.add(tasks, count);
    tasks += count;
    return sequence;
  }

  /**
   * Makes a bundle of the next task, which is an HPC job and has a claim in every mode. Returns its
   * sequence number.
   */
  public int job() {
    int sequence = bundle(1);
    bundles.job(sequence);
    return sequence;
  }

  /** Records that the request queue accepted the bundle. */
  public void sent(int sequence, Moment now) {
    bundles.sent(sequence, now.seconds(), settings.silenceSeconds());
  }

  /** Records that every task was sent. */
  public List<CompletenessEffect> allSent(Moment now) {
    completion.allSent();
    return follow(now);
  }

  // ---- collecting

  /** Decides what to do with a received result. Call {@link #follow} afterwards. */
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
    account.makeFinal(ordinal);
    return Verdict.FINAL;
  }

  /** Whether the task has its final result; false for one that is in no bundle yet. */
  public boolean isFinal(int ordinal) {
    return account.isFinal(ordinal);
  }

  /** Records a sign of life of a bundle or one of its children. */
  public void heard(String bundle, Moment now) {
    int sequence = BundleIds.sequence(bundle);
    if (bundles.has(sequence)) {
      bundles.heard(sequence, now.seconds(), settings.silenceSeconds());
    }
  }

  /** The tasks of a bundle or child without a result, for an answer that concerns it as a whole. */
  public int[] open(String bundle) {
    int sequence = BundleIds.sequence(bundle);
    if (!bundle.startsWith(prefix) || !bundles.has(sequence)) {
      return new int[0];
    }
    return IntStream.of(range(sequence)).filter(ordinal -> !account.isFinal(ordinal)).toArray();
  }

  /**
   * The sequence number of the bundle in which the task was sent. Not for tasks of bundles that
   * were closed before the last one was made.
   */
  public int bundleOf(int ordinal) {
    return bundles.bundleOf(ordinal);
  }

  /** All tasks of a bundle and its children; none if it does not exist or was let go as closed. */
  public int[] range(int sequence) {
    return bundles.has(sequence) ? bundles.tasks(sequence) : new int[0];
  }

  /** Whether every task of the bundle, including those of its children, has its final result. */
  public boolean closed(int sequence) {
    return !bundles.has(sequence) || bundles.missing(sequence) == 0;
  }

  /** Records a receive that began at the given moment and returned that many messages. */
  public void received(int messages, Moment begun, Moment now) {
    completion.received(messages, begun, now);
  }

  /** Records that something has arrived that may be a late result, before it is sorted. */
  public void arrived(Moment now) {
    completion.arrived(now);
  }

  /**
   * Records a failed receive: messages that it may have hidden are delivered again only after the
   * receive visibility.
   */
  public void receiveFailed(Moment now) {
    completion.receiveFailed(now);
  }

  /**
   * The effects that follow from the current state; to be called after results and from time to
   * time.
   */
  public List<CompletenessEffect> follow(Moment now) {
    return completion.follow(tasks, now);
  }

  // ---- after a resume

  /**
   * Records that another client held the run, which may resume and receive once more: LOST takes
   * longer.
   */
  public void resumed() {
    completion.resumed();
  }

  /** Records that the task had its final result before the resume; may be repeated. */
  public void restoreFinal(int ordinal) {
    if (!account.isFinal(ordinal)) {
      account.makeFinal(ordinal);
    }
  }

  /** Records that the task was provisionally LOST before the resume: its wait starts again. */
  public void restoreLost(int ordinal) {
    if (account.missing(ordinal)) {
      account.makeProvisional(ordinal);
    }
  }

  /**
   * Records that the request queue accepted the bundle before the resume. Silence counts from now,
   * unless the queue may have dropped it.
   *
   * @param millisAgo how long ago it was accepted, in milliseconds
   */
  public void restoreSent(int sequence, long millisAgo, Moment now) {
    boolean old = millisAgo >= settings.resend();
    bundles.sent(sequence, now.seconds(), old ? 0 : settings.silenceSeconds());
    bundles.sentAt(sequence, now.seconds() - (int) (millisAgo / 1000));
  }

  // ---- silence

  /**
   * Makes the next search for silence check every bundle, because results may have been lost, for
   * example with a missing response queue. Bundles without claims are sent again.
   */
  public void lookAtAll(Moment now) {
    silence.expectNothing(now);
  }

  /** Searches for bundles that were silent for too long; to be called every few seconds. */
  public List<CompletenessEffect> lookForSilence(Moment now) {
    return silence.look(now);
  }

  /** Handles the claims that were read; claims that do not exist are missing. */
  public List<CompletenessEffect> claimsRead(
      List<String> ids, Map<String, Claim> found, Moment now) {
    return silence.judge(ids, found, now);
  }

  /**
   * Handles the end of a search in the blob store, after its results were offered: the tasks that
   * still miss a result are LOST unless it arrives.
   */
  public List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked, Moment now) {
    return silence.fetched(asked, now);
  }

  /** Handles a failed search in the blob store, which is repeated soon. */
  public void fetchFailed(CompletenessEffect.FetchResults asked, Moment now) {
    silence.fetchFailed(asked, now);
  }

  /**
   * Records that the request queue accepted a {@link CompletenessEffect.Resend}. Without this call
   * the bundle is checked again within a few seconds.
   *
   * @param id the id of the bundle or child
   */
  public void resent(String id, Moment now) {
    silence.resent(id, now);
  }

  /** Handles a failed read of claims, whose bundles are checked again soon. */
  public void readFailed(List<String> ids, Moment now) {
    silence.readFailed(ids, now);
  }
}
