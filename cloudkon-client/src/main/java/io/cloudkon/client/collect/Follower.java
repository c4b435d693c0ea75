package io.cloudkon.client.collect;

import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the effects of the completeness machine. */
final class Follower {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
  private static final String LOST = "its bundle is done, but its result cannot be found";

  private final CollectingAccount account;
  private final RunOutcome outcome;
  private final RunLease lease;
  private final ResultRecorder recorder;
  private final ResultIntake intake;
  private final StoredResults stored;
  private final FollowUp followUp;
  private final BundleErrors errors;
  private final TimeSource time;
  private final boolean atMostOnce;
  private final RefusedResults refused;

  /** The reason why results of DONE bundles cannot be read; null if they can. */
  private volatile @Nullable String unreadable;

  Follower(
      CollectingAccount account,
      RunOutcome outcome,
      RunLease lease,
      ResultRecorder recorder,
      ResultIntake intake,
      StoredResults stored,
      FollowUp followUp,
      TimeSource time,
      boolean atMostOnce) {
    this.account = account;
    this.outcome = outcome;
    this.lease = lease;
    this.recorder = recorder;
    this.intake = intake;
    this.stored = stored;
    this.followUp = followUp;
    this.errors = new BundleErrors(account, followUp);
    this.time = time;
    this.atMostOnce = atMostOnce;
    this.refused = new RefusedResults(time);
  }

  /**
   * Carries out effects. Each waits until the lease is certain to hold, because calls and other
   * effects precede it.
   */
  void follow(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      if (!leased()) {
        return;
      }
      switch (effect) {
        case CompletenessEffect.ReadClaims read -> readClaims(read.ids());
        case CompletenessEffect.Resend resend -> resend(resend);
        case CompletenessEffect.FetchResults fetch -> fetch(fetch);
        case CompletenessEffect.ProvisionalLost lost -> provisionallyLost(lost);
        case CompletenessEffect.FinalLost lost -> {
          recorder.lostForGood(lost.ordinals());
          recorder.sync();
        }
        case CompletenessEffect.Complete complete -> outcome.end(RunEnd.COMPLETE);
      }
    }
  }

  /**
   * The message with its results, read from the blob store if necessary; empty if they do not
   * exist.
   *
   * @throws CloudKonException if they cannot be read now; the message must be received again
   */
  Optional<ResultBatch> whole(ResultBatch message) {
    try {
      Optional<ResultBatch> whole = stored.whole(message).map(this::spelledOut);
      refused.over(message.stored());
      return whole;
    } catch (CloudKonException e) {
      OptionalInt task = RefusedResults.task(message);
      if (!BlobStore.refuses(e) || task.isEmpty() || !refused.lasts(message.stored())) {
        throw e;
      }
      int[] lost =
          IntStream.of(errors.open(message.bundle()))
              .filter(ordinal -> ordinal == task.getAsInt())
              .toArray();
      String why = RefusedResults.reason(e);
      return Optional.of(message.withResults(notRun(message.bundle(), lost, TaskStatus.LOST, why)));
    }
  }

  /**
   * The message; if the whole bundle failed, with a result for each of its tasks that has none.
   *
   * @throws CloudKonException if that requires a claim that cannot be read
   */
  ResultBatch spelledOut(ResultBatch batch) {
    if (batch.bundleError().isEmpty()) {
      return batch;
    }
    List<TaskResult> failed =
        notRun(batch.bundle(), errors.open(batch.bundle()), TaskStatus.FAILED, batch.bundleError());
    return batch.withResults(failed);
  }

  private void readClaims(List<String> ids) {
    Map<String, Claim> found;
    try {
      found = followUp.claims(ids);
    } catch (CloudKonException e) {
      LOG.debug("could not read claims: {}", e.getMessage());
      account.readFailed(ids);
      return;
    }
    follow(account.claimsRead(ids, found));
  }

  private void fetch(CompletenessEffect.FetchResults fetch) {
    try {
      if (!takeStored(BundleIds.ofClaim(fetch.claim().id()))) {
        return;
      }
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (CloudKonException e) {
      // A store that cannot be read is not an empty one.
      boolean refusal = BlobStore.refuses(e);
      if (!refusal) {
        LOG.warn("cannot look for results in the blob store, trying again: {}", e.getMessage());
      }
      if (!refusal || !refused.lasts(fetch.claim().id())) {
        account.fetchFailed(fetch);
        return;
      }
      unreadable = RefusedResults.reason(e);
    }
    follow(account.fetched(fetch));
  }

  /**
   * The bundles that have results in the blob store; none if there is no store. This is one call.
   *
   * @throws CloudKonException if the store cannot be read
   */
  Set<String> storedBundles() {
    return stored.bundles();
  }

  /**
   * Takes a bundle's results from the blob store if a task has no final result. May be repeated.
   *
   * @return false if the lease is lost
   * @throws CloudKonException if the store cannot be read
   */
  boolean takeStoredIfOpen(String bundle) {
    return account.open(bundle).length == 0 || takeStored(bundle);
  }

  /** Takes a bundle's results from the blob store; returns false if the lease is lost. */
  private boolean takeStored(String bundle) {
    intake.inHand().begin();
    try {
      List<ResultBatch> found = stored.of(bundle);
      unreadable = null;
      return leased() && intake.take(found, this::leased, time);
    } finally {
      intake.inHand().end(false);
    }
  }

  /**
   * Sends tasks again, after a look into the blob store: results that a worker could not deliver to
   * any queue are there, and their tasks need not run again.
   */
  private void resend(CompletenessEffect.Resend resend) {
    try {
      var unused = takeStored(resend.bundle());
    } catch (TransientServiceException e) {
      LOG.debug("cannot look for results in the blob store, trying again: {}", e.getMessage());
      return;
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (CloudKonException e) {
      LOG.debug("sent again without a look into the blob store: {}", e.getMessage());
    }
    if (leased()) {
      sendAgain(resend);
    }
  }

  /**
   * Waits until the lease is certain to hold; returns false if it is lost. An interrupt ends the
   * wait only if the run is over, because effects that are skipped here are not requested again.
   */
  private boolean leased() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return lease.awaitValid();
        } catch (InterruptedException e) {
          interrupted = true;
          if (outcome.over()) {
            return false;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void sendAgain(CompletenessEffect.Resend resend) {
    SentBundle bundle = account.outstanding(BundleIds.sequence(resend.bundle()));
    if (bundle == null) {
      return;
    }
    Map<Integer, Task> byOrdinal = byOrdinal(bundle);
    List<Task> tasks = new ArrayList<>();
    for (int ordinal : resend.ordinals()) {
      Task task = byOrdinal.get(ordinal);
      if (task != null) {
        tasks.add(task);
      }
    }
    if (followUp.resend(resend.bundle(), bundle, tasks)) {
      account.resent(resend.bundle());
    }
  }

  private void provisionallyLost(CompletenessEffect.ProvisionalLost lost) {
    String id = lost.claim().id();
    BitSet recorded = new BitSet();
    IntStream.of(lost.recorded()).forEach(recorded::set);
    recorder.provisional(
        notRun(id, lost.ordinals(), TaskStatus.LOST, Objects.requireNonNullElse(unreadable, LOST)),
        ordinal -> atMostOnce || recorded.get(ordinal),
        account.outstanding(BundleIds.sequence(id)));
  }

  private List<TaskResult> notRun(String id, int[] ordinals, TaskStatus status, String error) {
    SentBundle bundle = account.outstanding(BundleIds.sequence(id));
    Map<Integer, Task> byOrdinal = bundle == null ? Map.of() : byOrdinal(bundle);
    List<TaskResult> results = new ArrayList<>(ordinals.length);
    for (int ordinal : ordinals) {
      Task task = byOrdinal.get(ordinal);
      String name = task == null ? Integer.toString(ordinal + 1) : task.id();
      results.add(TaskResult.notRun(ordinal, name, status, error, time.wallMicros()));
    }
    return results;
  }

  private Map<Integer, Task> byOrdinal(SentBundle bundle) {
    Map<Integer, Task> tasks = new HashMap<>();
    followUp.tasks(bundle).forEach(task -> tasks.put(task.ordinal(), task));
    return tasks;
  }
}
