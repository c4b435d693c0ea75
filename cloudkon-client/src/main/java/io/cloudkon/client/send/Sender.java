package io.cloudkon.client.send;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
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

  /** How long a thread that reads the workload may take to notice that it is to stop. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private record Outgoing(SentBundle bundle, OutgoingMessage message) {}

  private final RequestQueue queue;
  private final RunContext run;
  private final RunAccount account;
  private final RunOutcome outcome;
  private final Envelopes envelopes;
  private final TaskLookup lookup;
  private final TaskDefaults defaults;
  private final LargeTasks large;
  private final TimeSource time;
  private final Runnable allSent;
  private final BackOff backOff = new BackOff(100, 5_000, new Random());
  private final BundleMaker maker;
  private final NaturalBatcher<Outgoing> lanes;
  private final List<Thread> makers = new CopyOnWriteArrayList<>();
  private final CountDownLatch making;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Sends nothing before {@link #start}.
   *
   * @param reader of the tasks that are in no bundle yet
   * @param allTasks how many tasks there are; negative if unknown
   * @param ships what lies in every task's directory
   * @param allSent is told once when every task was accepted
   */
  public Sender(
      RunContext run,
      TaskReader reader,
      TaskLookup lookup,
      LongSupplier allTasks,
      List<Content> ships,
      Runnable allSent) {
    this.run = run;
    this.queue = run.cluster().requests();
    this.account = run.account();
    this.outcome = account.outcome();
    this.envelopes = new Envelopes(run, ships);
    this.lookup = lookup;
    this.time = run.time();
    this.allSent = allSent;
    this.defaults = TaskDefaults.of(run.options());
    int shipBytes = envelopes.shipBytes();
    this.large =
        new LargeTasks(run.blobs().written(), run.identity().run(), shipBytes, this::isOver);
    this.maker = new BundleMaker(reader, account, time, allTasks, defaults, large, shipBytes);
    int threads = run.options().threads();
    this.making = new CountDownLatch(threads + 1);
    this.lanes =
        new NaturalBatcher<>(
            "cloudkon-send",
            threads,
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            2 * Limits.BATCH,
            outgoing -> outgoing.message().countedBytes(),
            this::send);
    account.writeDown(bundle -> run.journal().note(range(bundle)));
  }

  private boolean isOver() {
    return stopped.getCount() == 0 || outcome.over();
  }

  /**
   * Starts to send.
   *
   * @param again bundles of which a former client of this run does not know whether it sent them
   */
  public void start(List<SentBundle> again) {
    makers.add(Thread.ofVirtual().name("cloudkon-again").start(() -> sendAgain(again)));
    for (int i = 0; i < run.options().threads(); i++) {
      makers.add(Thread.ofVirtual().name("cloudkon-make-" + i).start(this::make));
    }
    makers.add(Thread.ofVirtual().name("cloudkon-all-sent").start(this::awaitAllSent));
    if (stopped.getCount() == 0) {
      stop(); // which did not see all of them
    }
  }

  /** Makes and sends nothing more; what is on its way may arrive. */
  public void stop() {
    stopped.countDown();
    makers.forEach(Thread::interrupt);
  }

  /** Under their ids, with their very tasks: where they were sent before, that changes nothing. */
  private void sendAgain(List<SentBundle> bundles) {
    try {
      for (SentBundle bundle : bundles) {
        List<Task> tasks = lookup.tasks(bundle).stream().map(defaults::apply).toList();
        lanes.add(new Outgoing(bundle, envelopes.of(bundle, large.storeAll(tasks), 0)));
      }
      making.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** What fails once it is to stop has failed for that. */
  private void failed(Throwable why) {
    if (stopped.getCount() > 0) {
      outcome.failed(why);
    }
  }

  private void make() {
    try {
      BundleMaker.Made made = maker.make();
      while (made != null) {
        OutgoingMessage message = envelopes.of(made.bundle(), made.tasks(), made.estimatedMicros());
        lanes.add(new Outgoing(made.bundle(), message));
        made = maker.make();
      }
      making.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private void awaitAllSent() {
    try {
      making.await();
      lanes.awaitIdle();
      if (!isOver()) {
        allSent.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
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
      // What was written down as they were made is on disk before they are anywhere else.
      run.journal().sync();
      left.forEach(outgoing -> account.sending(outgoing.bundle()));
      for (int failures = 1; !left.isEmpty() && !isOver(); failures++) {
        if (!run.lease().awaitValid()) {
          return;
        }
        left = trySend(left, now);
        if (!left.isEmpty() && stopped.await(backOff.millis(failures), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private List<Outgoing> trySend(List<Outgoing> batch, long begun) {
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
                    run.identity().run(),
                    outgoing.bundle().line(),
                    failure.reason()));
      }
      left.add(outgoing);
    }
    List<Outgoing> accepted = new ArrayList<>(batch);
    accepted.removeAll(left);
    long now = time.wallMicros();
    accepted.forEach(outgoing -> account.sent(outgoing.bundle().accepted(now)));
    if (!accepted.isEmpty()) {
      List<Integer> sequences =
          accepted.stream().map(outgoing -> outgoing.bundle().sequence()).sorted().toList();
      run.journal().note(new JournalEntry.Confirmed(sequences, begun, now));
    }
    return left;
  }

  private static JournalEntry.BundleRange range(SentBundle bundle) {
    return new JournalEntry.BundleRange(
        bundle.sequence(),
        bundle.firstOrdinal(),
        bundle.tasks(),
        bundle.offset(),
        bundle.line(),
        bundle.submitted());
  }

  /**
   * Sends tasks again under the id of their bundle or child. One try.
   *
   * @param tasks all tasks of that bundle or child, in order
   * @return whether the queue has accepted them
   */
  public boolean resend(String bundle, SentBundle sent, List<Task> tasks) {
    try {
      List<Task> whole = tasks.stream().map(defaults::apply).map(large::store).toList();
      OutgoingMessage message = envelopes.of(bundle, sent.submitted(), whole, 0);
      List<BatchFailure> failures = queue.send(List.of(message));
      failures.forEach(f -> LOG.warn("bundle {} could not be sent again: {}", bundle, f.reason()));
      return failures.isEmpty();
    } catch (TransientServiceException e) {
      LOG.warn("bundle {} could not be sent again yet: {}", bundle, e.getMessage());
      return false;
    }
  }

  /** Stops to send. */
  @Override
  public void close() throws InterruptedException {
    stop();
    maker.close();
    for (Thread thread : makers) {
      // Who waits for standard input may wait for ever; what it reads then goes nowhere.
      while (!thread.join(LOOK) && !maker.isReading()) {
        thread.interrupt();
      }
    }
    lanes.close();
  }
}
