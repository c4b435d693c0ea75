package io.cloudkon.client.send;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a workload: several threads make bundles, and {@link Lanes} of as many threads send them.
 * HPC jobs have their own queue and lanes, so that jobs and tasks do not wait for each other's
 * sends.
 */
public final class Sender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  /** The interval at which a thread that should stop is interrupted again. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private final RunContext run;
  private final RunOutcome outcome;
  private final Envelopes envelopes;
  private final TaskLookup lookup;
  private final TaskDefaults defaults;
  private final LargeTasks large;
  private final Runnable allSent;
  private final BundleMaker maker;
  private final Lanes tasks;
  private final Lanes jobs;
  private final List<Thread> makers = new CopyOnWriteArrayList<>();
  private final CountDownLatch making;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Creates a sender that sends nothing before {@link #start}.
   *
   * @param reader reads the tasks that are in no bundle yet
   * @param allTasks the number of tasks; negative if unknown
   * @param ships the shipped contents, which every task finds in its directory
   * @param allSent runs once, when every task has been accepted
   */
  public Sender(
      RunContext run,
      TaskReader reader,
      TaskLookup lookup,
      LongSupplier allTasks,
      List<Content> ships,
      Runnable allSent) {
    this.run = run;
    this.outcome = run.account().outcome();
    this.envelopes = new Envelopes(run, ships);
    this.lookup = lookup;
    this.allSent = allSent;
    this.defaults = TaskDefaults.of(run.options());
    int shipBytes = envelopes.shipBytes();
    this.large =
        new LargeTasks(
            run.blobs().written(),
            run.identity().run(),
            shipBytes,
            run.options().directory(),
            this::isOver,
            // what is shipped is in the bucket already
            ships.isEmpty()
                ? new ServicePatience(run.time())
                : ServicePatience.thatWorked(run.time()));
    this.maker =
        new BundleMaker(
            reader, run.account().sending(), run.time(), allTasks, defaults, large, shipBytes);
    int threads = run.options().threads();
    this.making = new CountDownLatch(threads + 1);
    this.tasks = lanes("cloudkon-send", run.cluster().requests());
    this.jobs = lanes("cloudkon-send-jobs", run.cluster().hpc().jobs());
    run.account().sending().writeDown(bundle -> run.journal().note(range(bundle)));
  }

  private Lanes lanes(String name, RequestQueue queue) {
    return new Lanes(name, queue, run, this::isOver, stopped, this::failed);
  }

  private Lanes lanes(boolean job) {
    return job ? jobs : tasks;
  }

  private boolean isOver() {
    return stopped.getCount() == 0 || outcome.over();
  }

  /**
   * Starts sending.
   *
   * @param again bundles of an earlier client of this run of which it is unknown whether they were
   *     sent
   */
  public void start(List<SentBundle> again) {
    makers.add(Thread.ofVirtual().name("cloudkon-again").start(() -> sendAgain(again)));
    for (int i = 0; i < run.options().threads(); i++) {
      makers.add(Thread.ofVirtual().name("cloudkon-make-" + i).start(this::make));
    }
    makers.add(Thread.ofVirtual().name("cloudkon-all-sent").start(this::awaitAllSent));
    if (stopped.getCount() == 0) {
      stop(); // because the first stop() did not see all of the threads
    }
  }

  /** Makes and sends no more bundles; sends that are under way may still succeed. */
  public void stop() {
    stopped.countDown();
    makers.forEach(Thread::interrupt);
  }

  /**
   * Sends the bundles again under the same ids and with the same tasks, which is harmless if they
   * were sent before.
   */
  private void sendAgain(List<SentBundle> bundles) {
    try {
      for (SentBundle bundle : bundles) {
        List<Task> all = lookup.tasks(bundle).stream().map(defaults::apply).toList();
        expectFiles(all);
        lanes(bundle.job()).add(bundle, envelopes.of(bundle, large.storeAll(all), 0));
      }
      making.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Reports a failure, unless sending was stopped: then the stop caused it. */
  private void failed(Throwable why) {
    if (stopped.getCount() > 0) {
      outcome.failed(why);
    }
  }

  private void make() {
    try {
      BundleMaker.Made made = maker.make();
      while (made != null) {
        expectFiles(made.tasks());
        OutgoingMessage message = envelopes.of(made.bundle(), made.tasks(), made.estimatedMicros());
        lanes(made.bundle().job()).add(made.bundle(), message);
        made = maker.make();
      }
      making.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Notes that workers will put files into the blob store, before the first such task is sent. */
  private void expectFiles(List<Task> tasks) {
    if (tasks.stream().anyMatch(this::bringsFiles)) {
      run.blobs().expected();
    }
  }

  private boolean bringsFiles(Task task) {
    List<String> own = task.files().collect();
    return own == null
        ? !run.options().collect().isEmpty() && task.work().kind() == Work.Kind.EXEC
        : !own.isEmpty();
  }

  private void awaitAllSent() {
    try {
      making.await();
      tasks.awaitIdle();
      jobs.awaitIdle();
      if (!isOver()) {
        allSent.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private static JournalEntry.BundleRange range(SentBundle bundle) {
    return new JournalEntry.BundleRange(
        bundle.sequence(),
        bundle.firstOrdinal(),
        bundle.tasks(),
        bundle.offset(),
        bundle.line(),
        bundle.submitted(),
        bundle.ranks());
  }

  /**
   * Sends tasks again under the id of their bundle or child, in a single attempt.
   *
   * @param all the tasks of that bundle or child, in order
   * @return whether the queue has accepted them
   */
  public boolean resend(String bundle, SentBundle sent, List<Task> all) {
    Lanes lanes = lanes(sent.job());
    try {
      List<Task> whole = all.stream().map(defaults::apply).map(large::store).toList();
      OutgoingMessage message = envelopes.of(bundle, sent, whole);
      List<BatchFailure> failures = lanes.resend(message);
      failures.forEach(f -> LOG.warn("bundle {} could not be sent again: {}", bundle, f.reason()));
      return failures.isEmpty();
    } catch (CloudKonException e) {
      if (!(e instanceof UnsentFilesException)) {
        lanes.throwIfHopelessToResend(e);
      }
      LOG.warn("bundle {} could not be sent again yet: {}", bundle, e.getMessage());
      return false;
    }
  }

  /** Stops sending, and waits for the threads. */
  @Override
  public void close() throws InterruptedException {
    stop();
    maker.close();
    for (Thread thread : makers) {
      // A thread that waits for standard input may wait forever; what it reads then is ignored.
      while (!thread.join(LOOK) && !maker.isReading()) {
        thread.interrupt();
      }
    }
    tasks.close();
    jobs.close();
  }
}
