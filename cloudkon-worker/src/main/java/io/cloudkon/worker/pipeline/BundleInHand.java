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
 * One received bundle on its way through the pipeline: what its machine need not know. Results are
 * written by slots and read after the slot's event came through the inbox, which orders the two.
 */
public final class BundleInHand {
  private final long key;
  private final Bundle bundle;
  private final String handle;
  private final int receives;
  private final String nonce;
  private final Interruption interruption = new Interruption();
  private final @Nullable TaskResult[] results;
  private final long receiveBegun;
  private final long received;

  /** Of the bundle's claim, or of each task's. */
  private final ClaimStamps[] claims;

  private volatile boolean abandoned;
  private volatile boolean lost;
  private boolean closed;
  private final Set<Runnable> whenAbandoned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger claimFailures = new AtomicInteger();
  private final AtomicInteger replyFailures = new AtomicInteger();

  private final Map<Integer, Integer> failedTries = new ConcurrentHashMap<>();
  private final Map<Integer, String> stored = new ConcurrentHashMap<>();

  /**
   * A bundle that just arrived. Stamps are epoch microseconds of this worker's clock.
   *
   * @param receives how often its message was received, this time included; approximate
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
    this.results = new TaskResult[bundle.tasks().size()];
    this.claims = new ClaimStamps[bundle.header().claimsTasks() ? results.length : 1];
    Arrays.setAll(claims, i -> new ClaimStamps());
  }

  /** The same message under another key and nonce: its claim is to be asked for anew. */
  public BundleInHand again(long newKey, String newNonce) {
    return new BundleInHand(newKey, bundle, handle, receives, newNonce, receiveBegun, received);
  }

  /**
   * The same, where nothing follows of this one: closes it, for a try before may have left a
   * result.
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

  /** Names the receive that brought it. */
  public String handle() {
    return handle;
  }

  /** How often its message was received, this time included; approximate. */
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

  /** It may be run here no longer, and no result of it may be sent: stops all of its tasks. */
  public void abandon(String why) {
    abandoned = true;
    interruption.kill(why);
    whenAbandoned.forEach(Runnable::run);
  }

  /** Runs this when abandoned, in the thread that says so; twice in a race, never not at all. */
  public Watching onAbandon(Runnable what) {
    whenAbandoned.add(what);
    if (abandoned) {
      what.run();
    }
    return () -> whenAbandoned.remove(what);
  }

  /** Ends what {@link #onAbandon} began. */
  public interface Watching extends AutoCloseable {
    @Override
    void close();
  }

  /** Whether {@link #abandon} was called. */
  public boolean abandoned() {
    return abandoned;
  }

  /** Its lease is lost: others may run it from now on. */
  public void lose() {
    lost = true;
  }

  /** Whether {@link #lose} was called. */
  public boolean lost() {
    return lost;
  }

  /**
   * It is of no concern to this worker any more: frees the disk of results that were not sent, and
   * of those that still come.
   */
  public synchronized void close() {
    closed = true;
    for (int position = 0; position < results.length; position++) {
      release(position);
    }
  }

  /** How a task ended; in place of how its try before did. */
  public synchronized void result(int position, TaskResult result) {
    release(position);
    results[position] = result;
    if (closed) {
      release(position);
    }
  }

  /** Which try of a task the next one is, from 1. */
  public int nextTry(int position) {
    return tried(position) + 1;
  }

  /** How many tries of a task failed, those before it was handed on included. */
  private int tried(int position) {
    return task(position).tried() + failedTries.getOrDefault(position, 0);
  }

  /** The tasks at these positions as a child, with the tries that failed. */
  public Bundle child(int k, Positions tasks) {
    return bundle.child(k, tasks, this::tried);
  }

  /** A try of a task failed, and another one will follow. */
  public void tryFailed(int position) {
    failedTries.merge(position, 1, Integer::sum);
  }

  /** The results of these tasks, in order; all must be there. */
  public List<TaskResult> results(Positions tasks) {
    List<TaskResult> list = new ArrayList<>(tasks.size());
    tasks.stream()
        .forEach(position -> {
          TaskResult result = results[position];
          if (result == null) {
            throw new IllegalStateException(
                "task %d of bundle %s has no result".formatted(position, header().bundle()));
          }
          list.add(result);
        });
    return list;
  }

  /** Lets go of results that were accepted. */
  public synchronized void forget(Positions tasks) {
    tasks.stream()
        .forEach(position -> {
          release(position);
          results[position] = null;
        });
  }

  private void release(int position) {
    TaskResult result = results[position];
    if (result != null) {
      result.spools().release();
    }
  }

  /** A claim, its own or a task's, is being asked for; the first time counts. */
  public void claimBegun(String claim, long micros) {
    claims[Math.max(0, BundleIds.positionOfClaim(claim))].begun(micros);
  }

  /** A claim, its own or a task's, is there at this attempt; the first time counts. */
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

  /** One more failed call of the claim store in a row; gives how many. */
  public int claimFailed() {
    return claimFailures.incrementAndGet();
  }

  /** The claim store answered. */
  public void claimAnswered() {
    claimFailures.set(0);
  }

  /** One more failed send of its results; gives how many. */
  public int replyFailed() {
    return replyFailures.incrementAndGet();
  }

  /** How many sends of its results failed so far. */
  public int replyFailures() {
    return replyFailures.get();
  }

  /** The result of this task, too large for a message, lies in the blob store under this key. */
  public void stored(int ordinal, String blobKey) {
    stored.put(ordinal, blobKey);
  }

  /** Where this task's result lies in the blob store; null if it does not. */
  public @Nullable String storedKey(int ordinal) {
    return stored.get(ordinal);
  }

  /** The stamps of the task at this position; where there is no claim its stage has no length. */
  public BundleStamps stamps(int position, long replyBegun) {
    ClaimStamps claim = claimOf(position);
    return new BundleStamps(
        receiveBegun, received, claim.begunOr(received), claim.claimedOr(received), replyBegun);
  }
}
