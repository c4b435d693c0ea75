package io.cloudkon.client.session;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.run.ReplyQueue;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunLease;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run whose lease this client holds; determines the order of steps in which the client leaves it.
 */
final class HeldRun {
  private static final Logger LOG = LoggerFactory.getLogger(HeldRun.class);
  private static final int END_TRIES = 10;

  /** After an interrupt or an error, few tries are made, so that the user does not wait. */
  private static final int LEAVE_TRIES = 2;

  private final SessionParts parts;
  private final RunIdentity identity;
  private final Supplier<RunAccount> account;
  private final RunLease lease;
  private final ReplyQueue replies;
  private final boolean begunBefore;
  private volatile RunBlobs blobs;

  /**
   * A run that was just created or taken over.
   *
   * @param account the current account of the run
   * @param begunBefore whether another client may have sent something of it
   */
  HeldRun(
      SessionParts parts,
      RunIdentity identity,
      Supplier<RunAccount> account,
      RunLease lease,
      boolean begunBefore) {
    this.parts = parts;
    this.identity = identity;
    this.account = account;
    this.lease = lease;
    this.begunBefore = begunBefore;
    this.replies =
        new ReplyQueue(
            parts.cluster(),
            identity,
            lease,
            parts.options().lease(),
            parts.time(),
            this::lookAtAll);
    this.blobs = blobs(Journal.none(), false);
  }

  /** Creates a new run's response queue. */
  void begin() throws InterruptedException {
    replies.begin();
  }

  /**
   * Handles a missing queue: results may have been lost with it, and workers put others into the
   * blob store.
   */
  void lookAtAll() {
    blobs.expected();
    account.get().collecting().lookAtAll();
  }

  private RunBlobs blobs(Journal journal, boolean used) {
    return new RunBlobs(parts.cluster().blobs(), parts.options(), journal, used);
  }

  /** The work on the run, with its files open. */
  RunWork work(ResultSink sink, Journal journal, Restored restored) {
    blobs = blobs(journal, restored.stored());
    replies.opened(journal, restored.queues(parts.cluster().name()));
    account.get().collecting().waitFor(replies::quiet);
    RunContext context =
        new RunContext(
            parts.cluster(),
            parts.options(),
            identity,
            account.get(),
            lease,
            replies,
            blobs,
            journal,
            parts.time());
    return new RunWork(parts, context, sink, restored);
  }

  /** The work on a run while it is held. */
  interface Doing {
    RunEnd run() throws InterruptedException;
  }

  /** Runs it, and then leaves the run according to its outcome. */
  RunEnd untilOver(Doing doing) throws InterruptedException {
    boolean over = false;
    try {
      RunEnd end = doing.run();
      over = true;
      leave(end);
      return end;
    } finally {
      if (!over) {
        leaveInHaste();
      }
    }
  }

  private void leave(RunEnd end) throws InterruptedException {
    switch (end) {
      case COMPLETE -> finish(END_TRIES);
      case CANCELLED -> clearCancelled();
      case DETACHED -> lease.letGo(END_TRIES);
      case INTERRUPTED -> leaveInHaste();
    }
  }

  /** Leaves after an error or an interrupt. What was sent can be collected later. */
  private void leaveInHaste() throws InterruptedException {
    // The interrupted work has ended; the calls that follow must still be made.
    boolean interrupted = Thread.interrupted();
    if (begunBefore || parts.tookTasks() || account.get().counts().tasks() > 0) {
      lease.letGo(LEAVE_TRIES);
    } else {
      finish(LEAVE_TRIES);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the run, then removes the queue that its entry names, so that a client that finds no queue
   * also finds that the run has ended.
   */
  private void finish(int tries) throws InterruptedException {
    // Former queues are removed first, because the entry of an ended run names only the last queue.
    // If a move was in progress, that is its target, which may not exist yet.
    String last = lease.queue();
    List<String> former = replies.names().stream().filter(name -> !name.equals(last)).toList();
    RunCleanup.queues(parts.cluster().responses(), former);
    if (lease.end(tries)) {
      RunCleanup.queues(parts.cluster().responses(), replies.names());
      blobs.remove();
    } else {
      LOG.warn(
          "run {} could not be ended in the table of runs; its queue {} remains",
          identity.run(),
          last);
    }
  }

  /**
   * Removes everything while the run is still this client's; if that fails, another cancel cleans
   * up.
   */
  private void clearCancelled() throws InterruptedException {
    lease.require();
    RunCleanup.queues(parts.cluster().responses(), replies.names());
    RunCleanup.objects(
        identity.run(),
        blobs::remove,
        blobs::takesResults,
        0,
        parts.sessionOptions().say(),
        parts.sessionOptions().pause());
    if (!lease.end(END_TRIES)) {
      LOG.warn("run {} could not be settled in the table of runs", identity.run());
    }
  }
}
