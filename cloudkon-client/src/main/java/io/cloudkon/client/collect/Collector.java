package io.cloudkon.client.collect;

import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.ReplyQueue;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives results with several threads, and with more of them while receives come back full. Each
 * message is sorted, written, synced, and only then deleted. Nothing is received, written or
 * deleted unless the run's lease is certain to hold.
 */
public final class Collector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final Duration LONG_POLL = Duration.ofSeconds(20);
  private static final Duration SHORT_POLL = Duration.ofSeconds(5);

  /** The wait before a missing queue is looked for again. */
  private static final long MISSING_MILLIS = 250;

  /**
   * The poll while a replacement queue is still to be created, for which workers may already look.
   */
  private static final Duration MOVING_POLL = Duration.ofSeconds(1);

  /** The largest full batch of results, in bytes, for which one more thread is started. */
  private static final long HELPED_BYTES = 1024 * 1024;

  /** The maximum number of additional threads; a fleet of many thousand slots keeps them busy. */
  public static final int MOST_HELPERS = 30;

  /** The time for which a received message is hidden from this client's other threads. */
  public static final Duration VISIBILITY = Duration.ofSeconds(10);

  private final ReplyQueue replies;
  private final RunBlobs blobs;
  private final CollectingAccount account;
  private final RunOutcome outcome;
  private final RunLease lease;
  private final Follower follower;
  private final ResultRecorder recorder;
  private final ResultIntake intake;
  private final ServicePatience refused;
  private final TimeSource time;
  private final Receiver receiver;
  private final FormerQueues former;
  private final BackOff backOff = new BackOff(100, 5_000, new Random());
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CollectorThreads threads = new CollectorThreads(stopped, MOST_HELPERS);

  /**
   * Collects nothing before {@link #start}.
   *
   * @param serviceToWallMicros converts the service's clock, in milliseconds, to this machine's, in
   *     microseconds
   */
  public Collector(
      RunContext run,
      ResultSink sink,
      RunStatistics statistics,
      FollowUp followUp,
      LongUnaryOperator serviceToWallMicros) {
    this.replies = run.replies();
    this.blobs = run.blobs();
    this.account = run.account().collecting();
    this.outcome = run.account().outcome();
    this.lease = run.lease();
    this.time = run.time();
    this.recorder = new ResultRecorder(sink, statistics, run.journal(), time);
    ArrivingFiles files =
        new ArrivingFiles(
            run.blobs(),
            run.identity().run(),
            run.options().collect(),
            sink.files(),
            account::isFinal,
            time);
    this.intake = new ResultIntake(account, recorder, files);
    this.refused = new ServicePatience(time);
    StoredResults stored = new StoredResults(run.blobs(), run.identity().run());
    boolean atMostOnce = run.options().consistency() == Consistency.AT_MOST_ONCE;
    this.follower =
        new Follower(account, outcome, lease, recorder, intake, stored, followUp, time, atMostOnce);
    this.receiver = new Receiver(run, follower, intake, serviceToWallMicros);
    this.former =
        new FormerQueues(replies, receiver, follower, account, outcome, lease, stopped, time);
  }

  /** Restores tasks that were provisionally LOST before a resume. */
  public void restore(List<TaskResult> lost) {
    recorder.restore(lost);
  }

  /** Starts collecting. */
  public void start(int threadCount) {
    for (int i = 0; i < threadCount; i++) {
      threads.start("cloudkon-collect-" + i, () -> collect(false));
    }
    threads.start("cloudkon-collect-former", former::read);
    threads.start("cloudkon-silence", this::watch);
  }

  /**
   * Collects until the run is over.
   *
   * @param asHelper whether to end once receives no longer come back full
   */
  private void collect(boolean asHelper) {
    int failures = 0;
    try {
      while (!outcome.over()) {
        if (!lease.awaitValid()) {
          return;
        }
        if (!replies.goOnMoving()) {
          waitForQueue();
        }
        String queue = replies.name();
        try {
          int got = receive(queue);
          failures = 0;
          if (got < Limits.BATCH && asHelper) {
            return;
          }
        } catch (MissingResourceException e) {
          if (!e.resource().equals(queue)) {
            throw e;
          }
          missing(queue);
        } catch (TransientServiceException | RefusedException e) {
          refused.throwIfHopeless(e);
          account.receiveFailed();
          LOG.debug("could not receive results, trying again: {}", e.getMessage());
          if (stopped.await(backOff.millis(++failures), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      outcome.failed(e);
    }
  }

  private void missing(String queue) throws InterruptedException {
    account.receiveFailed();
    if (!replies.missing(queue) || !replies.replace(queue)) {
      waitForQueue();
    }
  }

  private void waitForQueue() throws InterruptedException {
    var unused = stopped.await(MISSING_MILLIS, TimeUnit.MILLISECONDS);
  }

  private int receive(String queue) throws InterruptedException {
    Duration wait = account.inGrace() ? SHORT_POLL : LONG_POLL;
    return receive(queue, replies.moving() ? MOVING_POLL : wait);
  }

  private int receive(String queue, Duration wait) throws InterruptedException {
    return receiver.receive(
        queue,
        wait,
        new Receiver.Listener() {
          @Override
          public void allowed(String action) {
            refused.allowed(action);
          }

          @Override
          public void brought(List<ReceivedMessage> messages) {
            if (manyAndSmall(messages) && !receiver.fetches() && !outcome.over()) {
              threads.help(() -> collect(true));
            }
            account.brought();
          }

          @Override
          public void taken(int messages, Moment begun) {
            follower.follow(account.received(messages, begun, wait));
          }
        });
  }

  /** Whether the batch is full and small. More calls do not speed up large results. */
  private static boolean manyAndSmall(List<ReceivedMessage> messages) {
    long bytes = messages.stream().mapToLong(message -> message.payload().length).sum();
    return messages.size() == Limits.BATCH && bytes <= HELPED_BYTES;
  }

  /** Looks for silent bundles, and lets the grace period end if nothing arrives any more. */
  private void watch() {
    try {
      while (!stopped.await(1, TimeUnit.SECONDS)) {
        if (lease.awaitValid()) {
          follower.follow(account.tick());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      outcome.failed(e);
    }
  }

  /** Follows up that every task was sent. */
  public void allSent() {
    follower.follow(account.allSent());
  }

  /**
   * Takes the results that wait in the queue and in former ones, and those that workers have stored
   * instead: results of a cancelled run still count. Call it before {@link #close}: a receive that
   * is aborted hides what it was about to bring.
   *
   * @throws io.cloudkon.core.error.CloudKonException if some stay there, because a service does not
   *     answer
   */
  public void takeWhatWaits() throws InterruptedException {
    LastReceives.Receive receive =
        (queue, wait) -> {
          lease.require(); // a lost lease looks like messages that cannot be taken
          return receive(queue, wait);
        };
    Pause pause = Pause.real();
    LastReceives last =
        new LastReceives(
            receive, receiver::hiddenMillis, replies::holdsNothing, refused, time, pause);
    refused.worked(); // perhaps for a former client: the queue is not a new one
    do {
      last.take(replies.readable());
      // What a thread could not take is in its queue again.
    } while (intake.inHand().awaitNone());
    new LastStored(
            blobs::holdsResults,
            blobs::used,
            blobs::keep,
            follower::storedBundles,
            follower::takeStoredIfOpen,
            time,
            pause)
        .take();
  }

  /**
   * Checks that every result that counts was written. A task counts as final a moment before its
   * result is written, so the last one may end the run and fail after that. To be called after
   * {@link #close}.
   *
   * @throws io.cloudkon.core.error.CloudKonException if one was not: the run must not end
   */
  public void requireWritten() {
    intake.requireWritten();
  }

  /**
   * Settles a cancelled run: provisionally LOST tasks become finally LOST, except those that were
   * given up. To be called after {@link #close}.
   *
   * @return the ordinals of the tasks that became finally LOST
   */
  public BitSet settle() {
    return recorder.settle(account::isFinal);
  }

  /** Stops collecting. */
  @Override
  public void close() throws InterruptedException {
    stopped.countDown();
    threads.close();
  }
}
