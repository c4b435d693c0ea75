package io.cloudkon.client.collect;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives results with several threads: each message is sorted, written, synced, and only then
 * deleted. Nothing is received, written or deleted while the run's lease is not certain to hold.
 */
public final class Collector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final Duration LONG_POLL = Duration.ofSeconds(20);
  private static final Duration SHORT_POLL = Duration.ofSeconds(5);

  /** How long a received message is hidden from this client's other threads. */
  public static final Duration VISIBILITY = Duration.ofSeconds(10);

  private final ResponseQueue queues;
  private final String queue;
  private final RunAccount account;
  private final RunLease lease;
  private final Follower follower;
  private final ResultRecorder recorder;
  private final TimeSource time;
  private final LongUnaryOperator serviceToWallMicros;
  private final BackOff backOff = new BackOff(100, 5_000, new Random());
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Starts to collect.
   *
   * @param serviceToWallMicros from the service's clock in milliseconds to this machine's in
   *     microseconds
   */
  public Collector(
      ResponseQueue queues,
      String queue,
      int threadCount,
      RunAccount account,
      RunLease lease,
      ResultSink sink,
      RunStatistics statistics,
      Journal journal,
      FollowUp followUp,
      TimeSource time,
      LongUnaryOperator serviceToWallMicros) {
    this.queues = queues;
    this.queue = queue;
    this.account = account;
    this.lease = lease;
    this.time = time;
    this.serviceToWallMicros = serviceToWallMicros;
    this.recorder = new ResultRecorder(sink, statistics, journal, time);
    this.follower = new Follower(account, recorder, followUp, time);
    for (int i = 0; i < threadCount; i++) {
      threads.add(Thread.ofVirtual().name("cloudkon-collect-" + i).start(this::collect));
    }
    threads.add(Thread.ofVirtual().name("cloudkon-silence").start(this::watch));
  }

  private void collect() {
    int failures = 0;
    try {
      while (!account.over()) {
        if (!lease.awaitValid()) {
          return;
        }
        try {
          receive();
          failures = 0;
        } catch (TransientServiceException e) {
          account.receiveFailed();
          LOG.debug("could not receive results, trying again: {}", e.getMessage());
          if (stopped.await(backOff.millis(++failures), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (MissingResourceException e) {
      account.failed(
          new CloudKonException(
              "response queue '%s' was removed while run results were due; they are lost"
                  .formatted(queue),
              e));
    } catch (RuntimeException | Error e) {
      account.failed(e);
    }
  }

  private void receive() throws InterruptedException {
    Moment begun = time.now();
    long begunMicros = time.wallMicros();
    Duration wait = account.inGrace() ? SHORT_POLL : LONG_POLL;
    List<ReceivedMessage> messages = queues.receive(queue, Limits.BATCH, wait, VISIBILITY);
    long collected = time.wallMicros();
    if (!messages.isEmpty()) {
      if (!lease.awaitValid()) {
        return;
      }
      for (ReceivedMessage message : messages) {
        accept(message, begunMicros, collected);
      }
      recorder.sync();
      if (!lease.awaitValid()) {
        return;
      }
    }
    follower.follow(account.received(messages.size(), begun));
    if (!messages.isEmpty()) {
      delete(messages);
    }
  }

  private void accept(ReceivedMessage message, long begun, long collected) {
    try {
      ResultBatch batch = follower.spelledOut(ResultCodec.decode(message.payload()));
      RunAccount.Sorted sorted = account.sort(batch, BundleIds.sequence(batch.bundle()));
      long replied = serviceToWallMicros.applyAsLong(message.sentMillis());
      recorder.accept(batch, sorted, replied, begun, collected);
    } catch (MalformedMessageException e) {
      LOG.warn("a message of queue {} holds no results: {}", queue, e.getMessage());
    }
  }

  /** What is not deleted comes again and is dropped as a duplicate. */
  private void delete(List<ReceivedMessage> messages) {
    try {
      List<BatchFailure> failures =
          queues.delete(queue, messages.stream().map(ReceivedMessage::handle).toList());
      failures.forEach(f -> LOG.debug("a result message was not deleted: {}", f.reason()));
    } catch (TransientServiceException e) {
      LOG.debug("result messages were not deleted: {}", e.getMessage());
    }
  }

  /** Looks for silent bundles, and lets grace run out where nothing comes any more. */
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
      account.failed(e);
    }
  }

  /** What is to be done when every task was sent. */
  public void allSent() {
    follower.follow(account.allSent());
  }

  /** Stops to collect. */
  @Override
  public void close() throws InterruptedException {
    stopped.countDown();
    for (Thread thread : threads) {
      thread.interrupt();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
