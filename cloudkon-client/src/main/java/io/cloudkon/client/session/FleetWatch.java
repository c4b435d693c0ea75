package io.cloudkon.client.session;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a run's account how many slots live workers have. Workers that have received nothing of
 * this run send no answers, but its bundles should keep all of them busy. In a fair cluster it
 * looks before the first bundle, and repeatedly while there is something to send. In other clusters
 * it looks once, while the first results are on their way, and only if something is left to send.
 * Each look scans the workers' table once.
 */
final class FleetWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FleetWatch.class);

  /** The interval between looks: that at which workers write their entries. */
  static final Duration EVERY = Duration.ofSeconds(5);

  private final WorkerRegistry workers;

  /** The number of messages that wait in the request queue. */
  private final LongSupplier waiting;

  private final RunAccount account;
  private final Supplier<Set<Work.Kind>> kinds;
  private final LongSupplier allTasks;
  private final TimeSource time;
  private final Duration every;
  private final boolean fair;
  private final Watch watch;

  /**
   * Starts looking.
   *
   * @param kinds the kinds of the run's tasks and jobs, as far as is known
   * @param allTasks the number of its tasks; negative while unknown
   */
  FleetWatch(RunContext run, Supplier<Set<Work.Kind>> kinds, LongSupplier allTasks) {
    this(
        run.cluster().workers(),
        () -> run.cluster().requests().depth().waiting(),
        run.account(),
        kinds,
        allTasks,
        run.time(),
        EVERY);
  }

  FleetWatch(
      WorkerRegistry workers,
      LongSupplier waiting,
      RunAccount account,
      Supplier<Set<Work.Kind>> kinds,
      LongSupplier allTasks,
      TimeSource time,
      Duration every) {
    this.workers = workers;
    this.waiting = waiting;
    this.account = account;
    this.kinds = kinds;
    this.allTasks = allTasks;
    this.time = time;
    this.every = every;
    this.fair = account.sending().priority().isPresent();
    this.watch =
        fair
            ? new Watch("cloudkon-fleet", every, this::lookAgain)
            : new Watch("cloudkon-fleet", Duration.ZERO, this::lookOnce);
    if (fair ? look() : account.sending().waitsForAnswers()) {
      watch.start();
    }
  }

  private Optional<Duration> lookAgain() {
    return !account.counts().allSent() && look() ? Optional.of(every) : Optional.empty();
  }

  private Optional<Duration> lookOnce() throws InterruptedException {
    account.sending().awaitFirstSent();
    long all = allTasks.getAsLong();
    if (all < 0 || account.counts().tasks() < all) {
      boolean unused = look();
    }
    return Optional.empty();
  }

  /** Looks, and returns whether to look again. While reads fail, the last state counts. */
  private boolean look() {
    try {
      tell(workers.list());
      return true;
    } catch (TransientServiceException e) {
      LOG.debug("could not read the workers' entries: {}", e.getMessage());
      return true;
    } catch (MissingResourceException e) {
      LOG.debug("no workers are listed: {}", e.getMessage());
      return false;
    } catch (CloudKonException e) {
      // Then only workers that answer count, which matters only in a fair cluster.
      if (fair && !watch.stopped()) {
        LOG.warn("could not find out how many workers are alive: {}", e.getMessage());
      }
      return false;
    }
  }

  private void tell(List<WorkerEntry> listed) {
    long now = time.serviceMillis();
    Set<Work.Kind> needed = kinds.get();
    List<WorkerEntry> able =
        listed.stream().filter(w -> w.livesAt(now) && w.takes().runs(needed)).toList();
    List<WorkerEntry> tasks = able.stream().filter(w -> w.takes().tasks()).toList();
    List<WorkerEntry> jobs = able.stream().filter(w -> w.takes().jobs()).toList();
    account
        .sending()
        .listed(
            tasks.stream()
                .collect(Collectors.toMap(WorkerEntry::id, WorkerEntry::slots, Math::max)),
            free(tasks) > 0 && !behindOthers());
    account.sending().fleet(slots(tasks), free(tasks), slots(jobs), free(jobs));
  }

  /**
   * Whether workers that seem idle have older work before this run's, as where they have only just
   * come: more waits than the few bundles that it has sent. One request; in a fair cluster none, as
   * nobody queues there.
   */
  private boolean behindOthers() {
    try {
      return !fair && waiting.getAsLong() > Limits.BATCH;
    } catch (CloudKonException e) {
      LOG.debug("could not find out how much is waiting: {}", e.getMessage());
      return false;
    }
  }

  private static int slots(List<WorkerEntry> of) {
    return of.stream().mapToInt(WorkerEntry::slots).sum();
  }

  private static int free(List<WorkerEntry> of) {
    return of.stream().mapToInt(worker -> Math.max(0, worker.slots() - worker.busy())).sum();
  }

  /** Whether it has stopped looking. */
  boolean over() {
    return watch.over();
  }

  @Override
  public void close() throws InterruptedException {
    watch.close();
  }
}
