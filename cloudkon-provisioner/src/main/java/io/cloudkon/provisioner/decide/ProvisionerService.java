package io.cloudkon.provisioner.decide;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Failure.Kind;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.protocol.provisioning.ProvisioningMachine;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.provisioner.observe.ClusterObserver;
import io.cloudkon.provisioner.record.DecisionBook;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provisioner of a cluster. It waits for the lease; while it holds the lease, it reads the
 * cluster, decides and launches in every interval, in one thread and in this order: lease, read,
 * decide, write the intent, launch, record. {@link #run} and {@link #step} are called by that
 * thread; all other methods are thread safe.
 */
public final class ProvisionerService {
  private static final Logger LOG = LoggerFactory.getLogger(ProvisionerService.class);

  private final ProvisionerConfig config;
  private final TimeSource time;
  private final ProvisionerLease lease;
  private final DecisionBook book;
  private final ClusterObserver observer;
  private final InstanceLauncher launcher;
  private final Launching launching;
  private final LaunchTrial trial;
  private final Spending spending;
  private final LostServices services;
  private final FleetNews news;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private ProvisioningMachine machine;
  private int term;
  private long lookAt;
  private boolean waiting;

  private Fleet written = Fleet.UNSEEN;
  private volatile Fleet fleet = Fleet.UNSEEN;
  private volatile boolean holds;

  /** A provisioner that has not started yet. */
  public ProvisionerService(
      ProvisionerConfig config,
      Cluster cluster,
      InstanceLauncher launcher,
      TimeSource time,
      RandomGenerator random) {
    this.config = config;
    this.time = time;
    this.lease =
        new ProvisionerLease(
            cluster.decisions(),
            time,
            config.lease(),
            config.id(),
            config.host(),
            config.published(launcher.name()));
    this.book = new DecisionBook(cluster.decisions());
    this.observer = new ClusterObserver(cluster, time);
    this.launcher = launcher;
    this.launching =
        new Launching(cluster.name(), config.id(), book, launcher, time, random, lease::valid);
    this.trial = new LaunchTrial(launcher.name(), lease::valid);
    this.spending = new Spending(time);
    this.services = new LostServices(time);
    this.news =
        new FleetNews(
            launcher,
            line -> System.err.printf("cloudkon provisioner: %s%n", Printable.text(line)));
    this.machine = new ProvisioningMachine(config.settings());
    this.lookAt = time.now().mono();
  }

  /**
   * Provisions until {@link #stop} is called, then releases the lease.
   *
   * @throws MissingResourceException if the cluster is gone: never there, or missing for 15 s
   * @throws UsageException if nothing can be launched with this configuration; the lease is
   *     released
   */
  public void run() throws InterruptedException {
    try {
      long pause = 0;
      while (!stopping.await(pause, TimeUnit.MILLISECONDS)) {
        pause = step();
      }
    } catch (UsageException e) {
      letGo();
      throw e;
    }
    letGo();
  }

  private void letGo() {
    try {
      lease.letGo(fleet, book.oldestOpen());
    } catch (CloudKonException e) {
      LOG.warn("the lease could not be released and expires by itself: {}", e.getMessage());
    }
  }

  /** Ends {@link #run} after the current step. */
  public void stop() {
    stopping.countDown();
  }

  /** The state of the fleet at the last reading. */
  public Fleet fleet() {
    return fleet;
  }

  /** Whether it held the lease at its last step. */
  public boolean holds() {
    return holds;
  }

  /**
   * Performs the actions that are due.
   *
   * @return after how many milliseconds to call this method again
   */
  public long step() {
    long interval = config.settings().interval();
    try {
      long again = keep();
      services.reached();
      holds = lease.valid();
      if (!holds) {
        services.read();
        services.back();
        standBy();
        return again;
      }
      begin();
      long now = time.now().mono();
      if (now >= lookAt) {
        lookAt = now + interval;
        provision();
        again = Math.min(again, keep());
      }
      services.back();
      return Math.max(0, Math.min(again, lookAt - time.now().mono()));
    } catch (UsageException e) {
      throw e;
    } catch (CloudKonException e) {
      if (e instanceof MissingResourceException && services.isGone()) {
        throw e;
      }
      holds = lease.valid();
      book.outdated();
      services.lost(e);
      return Math.min(interval, config.lease().heartbeat());
    }
  }

  private long keep() {
    Fleet now = fleet;
    long again = lease.keep(now, !now.equals(written), book.oldestOpen());
    written = now;
    return again;
  }

  private void standBy() {
    book.outdated();
    if (!waiting) {
      waiting = true;
      lease
          .other()
          .ifPresent(entry ->
              System.err.printf(
                  "cloudkon provisioner %s: %s on %s has the lease; waiting for it%n",
                  config.id(), Printable.line(entry.holder()), Printable.line(entry.host())));
    }
  }

  /** Starts a term: the decisions that others made before the lease was taken are not known yet. */
  private void begin() {
    if (term != lease.terms()) {
      term = lease.terms();
      book.outdated();
      machine = new ProvisioningMachine(config.settings(), lease.before());
      spending.restart();
      lookAt = time.now().mono();
      if (waiting) {
        System.err.printf("cloudkon provisioner %s: has the lease now%n", config.id());
      }
      waiting = false;
    }
  }

  private void provision() {
    if (!book.current()) {
      book.read();
    }
    FleetObservation seen = observer.look(book.open(), launching.foreign(), launcher.instances());
    services.read();
    // Slow reads may have used up most of the lease, and then nothing would ever be decided.
    long unused = keep();
    FleetPlan plan = launching.explained(machine.decide(seen, time.now()));
    publish(plan.fleet());
    news.tell(seen, plan);
    launching.settle(plan);
    Optional<TransientServiceException> failed = repeat(plan.again());
    if (plan.launch() > 0 && launching.intend(plan)) {
      // Reported, and paid for, from now on, not only from the next reading on.
      int granted = launch(book.open().getLast());
      double more = granted * config.settings().usdPerHour();
      publish(fleet.withBooting(granted, time.serviceMillis(), more));
    }
    if (failed.isPresent()) {
      throw failed.get();
    }
  }

  /**
   * Repeats the calls of decisions. One that fails in passing, however often, hinders nothing else.
   *
   * @return the first such failure
   */
  private Optional<TransientServiceException> repeat(List<Decision> intended) {
    Optional<TransientServiceException> first = Optional.empty();
    for (Decision decision : intended) {
      try {
        int unused = launch(decision);
      } catch (TransientServiceException e) {
        first = first.or(() -> Optional.of(e));
      }
    }
    return first;
  }

  /**
   * Returns the number of granted workers.
   *
   * @throws TransientServiceException if the call failed in passing; new decisions are then delayed
   *     as by a refusal
   */
  private int launch(Decision intended) {
    if (!lease.valid()) {
      return 0;
    }
    Launch answer;
    try {
      answer = launching.carryOut(intended);
    } catch (TransientServiceException e) {
      Failure failure = new Failure(Kind.THROTTLE, "no-answer", String.valueOf(e.getMessage()));
      machine.launched(intended.count(), true, new Launch(List.of(), List.of(failure)), time.now());
      throw e;
    }
    boolean own = intended.holder().equals(config.id());
    machine.launched(intended.count(), own, answer, time.now());
    if (answer.elsewhere()) {
      lookAt = time.now().mono(); // others are asked at once
    }
    if (own) {
      trial.judge(answer);
    }
    return answer.instances().size();
  }

  private void publish(Fleet seen) {
    fleet = seen.withSpent(spending.at(seen.usdPerHour()), spending.begunMillis());
  }
}
