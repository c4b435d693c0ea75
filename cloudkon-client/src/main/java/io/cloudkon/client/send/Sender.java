package io.cloudkon.client.send;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a workload: several threads make bundles, and as many lanes send them, each batch journaled
 * before its first send. A send that failed in passing is repeated under the same ids until it is
 * accepted or the run is over.
 */
public final class Sender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  private record Outgoing(SentBundle bundle, OutgoingMessage message) {}

  private final RequestQueue queue;
  private final RunOptions options;
  private final RunIdentity identity;
  private final RunAccount account;
  private final Journal journal;
  private final TimeSource time;
  private final Runnable allSent;
  private final BackOff backOff = new BackOff(100, 5_000, new Random());
  private final BundleMaker maker;
  private final NaturalBatcher<Outgoing> lanes;
  private final List<Thread> makers = new ArrayList<>();
  private final CountDownLatch making;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Starts to send.
   *
   * @param allTasks how many tasks there are; negative if unknown
   * @param allSent is told once when every task was accepted
   */
  public Sender(
      RequestQueue queue,
      RunOptions options,
      RunIdentity identity,
      RunAccount account,
      TaskReader reader,
      LongSupplier allTasks,
      Journal journal,
      TimeSource time,
      Runnable allSent) {
    this.queue = queue;
    this.options = options;
    this.identity = identity;
    this.account = account;
    this.journal = journal;
    this.time = time;
    this.allSent = allSent;
    this.maker = new BundleMaker(reader, account, time, allTasks, options.timeoutMillis());
    this.making = new CountDownLatch(options.threads());
    this.lanes =
        new NaturalBatcher<>(
            "cloudkon-send",
            options.threads(),
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            2 * Limits.BATCH,
            outgoing -> outgoing.message().countedBytes(),
            this::send);
    for (int i = 0; i < options.threads(); i++) {
      makers.add(Thread.ofVirtual().name("cloudkon-make-" + i).start(this::make));
    }
    makers.add(Thread.ofVirtual().name("cloudkon-all-sent").start(this::awaitAllSent));
  }

  private void make() {
    try {
      BundleMaker.Made made = maker.make();
      while (made != null) {
        lanes.add(new Outgoing(made.bundle(), message(made)));
        made = maker.make();
      }
      making.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      account.failed(e);
    }
  }

  private OutgoingMessage message(BundleMaker.Made made) {
    SentBundle bundle = made.bundle();
    String id = BundleIds.of(identity.run(), identity.epoch(), bundle.sequence());
    return BundleMessages.of(
        new Bundle(header(id, bundle.submitted(), made.estimatedMicros()), made.tasks()));
  }

  private BundleHeader header(String id, long submitted, long estimatedMicros) {
    return new BundleHeader(
        identity.run(),
        identity.epoch(),
        id,
        identity.responseQueue(),
        options.consistency(),
        options.captureBytes(),
        submitted,
        time.wallMicros(),
        estimatedMicros);
  }

  private void awaitAllSent() {
    try {
      making.await();
      lanes.awaitIdle();
      if (!account.over()) {
        allSent.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      account.failed(e);
    }
  }

  /**
   * Sends a batch, and what was refused of it again, until all of it is accepted or the run is
   * over.
   */
  private void send(List<Outgoing> batch) {
    try {
      long now = time.wallMicros();
      List<Outgoing> left =
          batch.stream().map(o -> new Outgoing(o.bundle().begun(now), o.message())).toList();
      journal.append(left.stream().map(o -> range(o.bundle())).toList());
      left.forEach(outgoing -> account.sending(outgoing.bundle()));
      for (int failures = 1; !left.isEmpty() && !account.over(); failures++) {
        left = trySend(left);
        if (!left.isEmpty() && stopped.await(backOff.millis(failures), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      account.failed(e);
    }
  }

  private List<Outgoing> trySend(List<Outgoing> batch) {
    List<BatchFailure> failures;
    try {
      failures = queue.send(batch.stream().map(Outgoing::message).toList());
    } catch (TransientServiceException e) {
      LOG.debug("send failed, trying again: {}", e.getMessage());
      return batch;
    }
    List<Outgoing> left = new ArrayList<>();
    for (BatchFailure failure : failures) {
      Outgoing outgoing = batch.get(failure.index());
      if (!failure.retryable()) {
        throw new CloudKonException(
            "queue '%s' refuses bundle %d of run %s (tasks from line %d): %s"
                .formatted(
                    queue.name(),
                    outgoing.bundle().sequence(),
                    identity.run(),
                    outgoing.bundle().line(),
                    failure.reason()));
      }
      left.add(outgoing);
    }
    List<Outgoing> accepted = new ArrayList<>(batch);
    accepted.removeAll(left);
    long now = time.wallMicros();
    accepted.forEach(outgoing -> account.sent(outgoing.bundle().accepted(now)));
    journal.note(
        new JournalEntry.Confirmed(accepted.stream().map(o -> o.bundle().sequence()).toList()));
    return left;
  }

  private static JournalEntry.BundleRange range(SentBundle bundle) {
    return new JournalEntry.BundleRange(
        bundle.sequence(),
        bundle.firstOrdinal(),
        bundle.tasks(),
        bundle.offset(),
        bundle.line(),
        bundle.submitted(),
        bundle.sendBegun());
  }

  /**
   * Sends tasks again under the id of their bundle or child. One try: what fails is looked at again
   * in its turn.
   *
   * @param tasks all tasks of that bundle or child, in order
   */
  public void resend(String bundle, SentBundle sent, List<Task> tasks) {
    OutgoingMessage message =
        BundleMessages.of(new Bundle(header(bundle, sent.submitted(), 0), tasks));
    try {
      List<BatchFailure> failures = queue.send(List.of(message));
      failures.forEach(f -> LOG.warn("bundle {} could not be sent again: {}", bundle, f.reason()));
    } catch (TransientServiceException e) {
      LOG.warn("bundle {} could not be sent again: {}", bundle, e.getMessage());
    }
  }

  /** Stops to send. */
  @Override
  public void close() throws InterruptedException {
    stopped.countDown();
    for (Thread thread : makers) {
      thread.interrupt();
    }
    for (Thread thread : makers) {
      thread.join();
    }
    lanes.close();
  }
}
