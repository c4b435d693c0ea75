package io.cloudkon.worker.pipeline;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch.BundleStamps;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.worker.execute.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One received bundle on its way through the pipeline, with the facts that its state machine does
 * not need. A slot writes results before it posts its event to the inbox, and they are read after
 * that event: the inbox orders the two.
 */
public final class BundleInHand {
  private final long key;
  private final Bundle bundle;
  private final String handle;
  private final int receives;
  private final String nonce;
  private final Interruption interruption = new Interruption();
  private final ResultsInHand results;
  private final long receiveBegun;
  private final long received;

  /** The stamps of the bundle's claim, or of each task's claim. */
  private final ClaimStamps[] claims;

  private volatile boolean abandoned;
  private volatile boolean lost;
  private final Set<Runnable> whenAbandoned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger claimFailures = new AtomicInteger();
  private final AtomicInteger replyFailures = new AtomicInteger();

  private final Map<Integer, Integer> failedTries = new ConcurrentHashMap<>();
  private final Map<Integer, String> stored = new ConcurrentHashMap<>();

  /**
   * A bundle that has just arrived. Stamps are epoch microseconds of this worker's clock.
   *
   * @param receives how often its message was received, including this time; approximate
   */
  public BundleInHand(
      long key,
      Bundle bundle,
      String handle,
      int receives,
      String nonce,
      long receiveBegun,
      long received) {
    this.key = key;
    this.bundle = bundle;
    this.handle = handle;
    this.receives = receives;
    this.nonce = nonce;
    this.receiveBegun = receiveBegun;
    this.received = received;
    int tasks = bundle.tasks().size();
    this.results = new ResultsInHand(bundle.tasks());
    this.claims = new ClaimStamps[bundle.header().claimsTasks() ? tasks : 1];
    Arrays.setAll(claims, i -> new ClaimStamps());
  }

  /**
   * The same message under another key and nonce, so that its claim is requested anew. The failed
   * tries of its tasks still count.
   */
  public BundleInHand again(long newKey, String newNonce) {
    Bundle tried = bundle.withTried(this::tried);
    return new BundleInHand(newKey, tried, handle, receives, newNonce, receiveBegun, received);
  }

  /**
   * The same as {@link #again}, for a bundle that is no longer used: closes it, because an earlier
   * try may have left a result.
   */
  public BundleInHand replaced(long newKey, String newNonce) {
    close();
    return again(newKey, newNonce);
  }

  public long key() {
    return key;
  }

  public Bundle bundle() {
    return bundle;
  }

  public BundleHeader header() {
    return bundle.header();
  }

  public Task task(int position) {
    return bundle.tasks().get(position);
  }

  /** The receipt handle of its message. */
  public String handle() {
    return handle;
  }

  /** How often its message was received, including this time; approximate. */
  public int receives() {
    return receives;
  }

  public String nonce() {
    return nonce;
  }

  /** Stops all of its tasks. */
  public Interruption interruption() {
    return interruption;
  }

  /**
   * Stops all of its tasks, because it must not run here any longer and no result of it may be
   * sent.
   */
  public void abandon(String why) {
    abandoned = true;
    interruption.kill(why);
    whenAbandoned.forEach(Runnable::run);
  }

  /**
   * Runs this when the bundle is abandoned, in the abandoning thread; in a race it may run twice,
   * but always at least once.
   */
  public Watching onAbandon(Runnable what) {
    whenAbandoned.add(what);
    if (abandoned) {
      what.run();
    }
    return () -> whenAbandoned.remove(what);
  }

  /** Ends the effect of {@link #onAbandon}. */
  public interface Watching extends AutoCloseable {
    @Override
    void close();
  }

  /** Whether {@link #abandon} was called. */
  public boolean abandoned() {
    return abandoned;
  }

  /** Records that its lease is lost, so that other workers may run it from now on. */
  public void lose() {
    lost = true;
  }

  /** Whether {@link #lose} was called. */
  public boolean lost() {
    return lost;
  }

  /**
   * Frees the disk space of results that were not sent, and of those that still come, because this
   * worker has finished with the bundle.
   */
  public void close() {
    results.close();
  }

  /** Sets the result of a task; replaces the result of an earlier try. */
  public void result(int position, TaskResult result) {
    results.set(position, result);
  }

  /** The bytes in memory of results that were not accepted yet, with their tasks' inputs. */
  public long heldBytes() {
    return results.bytes();
  }

  /** The bytes of outputs on disk of results that were not accepted yet. */
  public long spooledBytes() {
    return results.spooledBytes();
  }

  /** The number of the task's next try, from 1. */
  public int nextTry(int position) {
    return tried(position) + 1;
  }

  /** The number of failed tries of a task, including those before it was handed on. */
  private int tried(int position) {
    int before = task(position).tried();
    return failedTries.isEmpty() ? before : before + failedTries.getOrDefault(position, 0);
  }

  /** The tasks at these positions as a child, with their numbers of failed tries. */
  public Bundle child(int k, Positions tasks) {
    return bundle.child(k, tasks, this::tried);
  }

  /** Records that a try of a task failed and another one will follow. */
  public void tryFailed(int position) {
    failedTries.merge(position, 1, Integer::sum);
  }

  /** The results of these tasks, in order; all must exist. */
  public List<TaskResult> results(Positions tasks) {
    List<TaskResult> list = new ArrayList<>(tasks.size());
    tasks.stream()
        .forEach(position -> {
          TaskResult result = results.get(position);
          if (result == null) {
            throw new IllegalStateException(
                "task %d of bundle %s has no result".formatted(position, header().bundle()));
          }
          list.add(result);
        });
    return list;
  }

  /** Releases results that were accepted. */
  public void forget(Positions tasks) {
    results.forget(tasks);
  }

  /** Records when the bundle's or a task's claim is requested; only the first call counts. */
  public void claimBegun(String claim, long micros) {
    claims[Math.max(0, BundleIds.positionOfClaim(claim))].begun(micros);
  }

  /**
   * Records when the bundle's or a task's claim is granted, with its attempt; only the first call
   * counts.
   */
  public void claimed(String claim, long micros, int attempt) {
    claims[Math.max(0, BundleIds.positionOfClaim(claim))].claimed(micros, attempt);
  }

  /** The attempt of the claim that guards the task at this position. */
  public int attempt(int position) {
    return claimOf(position).attempt();
  }

  private ClaimStamps claimOf(int position) {
    return claims[claims.length == 1 ? 0 : position];
  }

  /** Counts one more consecutive failed call of the claim store; returns the count. */
  public int claimFailed() {
    return claimFailures.incrementAndGet();
  }

  /** Resets the count of failed calls, because the claim store answered. */
  public void claimAnswered() {
    claimFailures.set(0);
  }

  /** Counts one more failed send of its results; returns the count. */
  public int replyFailed() {
    return replyFailures.incrementAndGet();
  }

  /** The number of failed sends of its results. */
  public int replyFailures() {
    return replyFailures.get();
  }

  /** Records the blob key of this task's result, which is too large for a message. */
  public void stored(int ordinal, String blobKey) {
    stored.put(ordinal, blobKey);
  }

  /** The blob key of this task's result; null if the result is not in the blob store. */
  public @Nullable String storedKey(int ordinal) {
    return stored.get(ordinal);
  }

  /** The stamps of the task at this position; without a claim, its stage has no duration. */
  public BundleStamps stamps(int position, long replyBegun) {
    ClaimStamps claim = claimOf(position);
    return new BundleStamps(
        receiveBegun, received, claim.begunOr(received), claim.claimedOr(received), replyBegun);
  }
}
