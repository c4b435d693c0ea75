package io.cloudkon.client.send;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.TaskLookup;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a workload: several threads make bundles, and as many {@link Lanes} send them. HPC jobs go
 * to a queue of their own, by lanes of their own: neither waits for the other's sends.
 */
public final class Sender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  /** How long a thread that reads the workload may take to notice that it is to stop. */
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
            this::isOver);
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

  /** What workers will put into the blob store is kept in mind before the first of it is sent. */
  private void expectFiles(List<Task> tasks) {
    if (tasks.stream().anyMatch(this::bringsFiles)) {
      run.blobs().found();
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
   * Sends tasks again under the id of their bundle or child. One try.
   *
   * @param all tasks of that bundle or child, in order
   * @return whether the queue has accepted them
   */
  public boolean resend(String bundle, SentBundle sent, List<Task> all) {
    try {
      List<Task> whole = all.stream().map(defaults::apply).map(large::store).toList();
      OutgoingMessage message = envelopes.of(bundle, sent, whole);
      RequestQueue queue = sent.job() ? run.cluster().hpc().jobs() : run.cluster().requests();
      List<BatchFailure> failures = queue.send(List.of(message));
      failures.forEach(f -> LOG.warn("bundle {} could not be sent again: {}", bundle, f.reason()));
      return failures.isEmpty();
    } catch (TransientServiceException | UnreadableFileException e) {
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
    tasks.close();
    jobs.close();
  }
}
