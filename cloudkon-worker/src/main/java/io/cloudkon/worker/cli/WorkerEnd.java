package io.cloudkon.worker.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.ec2.Instances;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.lifetime.SelfEnd;
import io.cloudkon.worker.notice.OwnMachine;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last step of a worker: for whatever reason it ended, the instance that a provisioner launched
 * for it ends with it, even if the worker failed before it had begun. Thread safe: the main thread,
 * the thread of a SIGTERM and the watchdog call it, and all wait until it is done.
 */
final class WorkerEnd {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerEnd.class);

  private final Launched launched;
  private final Ending ending;
  private volatile @Nullable Consumer<String> drain;
  private volatile @Nullable LeaveWatchdog watchdog;
  private boolean done;
  private boolean machineEnds;

  /** Determines which instance is to end with the worker; empty if none. */
  interface Launched {
    Optional<String> instance() throws InterruptedException;
  }

  /** Ends an instance; returns whether that was requested. */
  interface Ending {
    boolean end(String instance) throws InterruptedException;
  }

  WorkerEnd(Launched launched, Ending ending) {
    this.launched = launched;
    this.ending = ending;
  }

  /** The end of the worker on this machine; connects to AWS with these options when needed. */
  static WorkerEnd of(OwnMachine machine, AwsOptions aws) {
    return new WorkerEnd(machine::launchedInstance, instance -> end(aws, instance));
  }

  /**
   * Does a worker's work and ends the instance after it, even if the work fails or a signal ends
   * this process.
   *
   * @return the result of the work
   */
  int after(Callable<Integer> work) throws Exception {
    WorkerSignals.install(this::onSignal);
    String failure = "";
    try {
      return work.call();
    } catch (Exception e) {
      failure = ": " + Objects.requireNonNullElse(e.getMessage(), e.toString());
      throw e;
    } finally {
      var unused = endMachine(failure);
      LeaveWatchdog watching = watchdog;
      if (watching != null) {
        watching.close();
      }
    }
  }

  /**
   * Lets a signal drain this worker before its instance ends, from now on, and ends this process if
   * the worker must leave at once and does not.
   */
  void drains(WorkerService service, WorkerConfig config) {
    watchdog =
        LeaveWatchdog.start(
            service::awaitLeave,
            Duration.ofMillis(config.settings().lease().margin()),
            () -> endMachine(""),
            code -> Runtime.getRuntime().halt(code));
    drain = besides -> drain(service, config, besides);
  }

  /**
   * Handles SIGTERM or Ctrl-C: the process stays until everything in hand is settled.
   *
   * @param besides a clause that tells the user what else to do, or empty
   */
  void onSignal(String besides) {
    Consumer<String> draining = drain;
    if (draining != null) {
      draining.accept(besides);
    }
    var unused = endMachine("");
  }

  private static void drain(WorkerService service, WorkerConfig config, String besides) {
    if (service.hasEnded()) {
      return; // by itself: what it ran has ended, too
    }
    int busy = service.stats().busy();
    if (busy > 0) {
      System.err.printf(
          "cloudkon worker %s: draining; %d running, for at most %d s more%s%n",
          config.settings().id(), busy, config.drainTimeout().toSeconds(), besides);
    } else if (!besides.isEmpty()) {
      System.err.printf(
          "cloudkon worker %s: draining; nothing is running%s%n", config.settings().id(), besides);
    }
    try {
      service.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the instance, once; returns whether its end was requested. */
  private synchronized boolean endMachine(String failure) {
    if (done) {
      return machineEnds;
    }
    done = true;
    try {
      Optional<String> instance = launched.instance();
      if (instance.isPresent()) {
        // The instance may be gone before this process has reported the failure.
        System.err.printf("cloudkon worker: ends its instance, %s%s%n", instance.get(), failure);
        machineEnds = ending.end(instance.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return machineEnds;
  }

  /** Ends the instance over a new connection, because the worker's is closed or was never made. */
  private static boolean end(AwsOptions aws, String instance) throws InterruptedException {
    AtomicBoolean anyEndpoint = new AtomicBoolean(true);
    boolean ended =
        new SelfEnd(
                one -> {
                  try (AwsCloud cloud = aws.connect(new SystemTime())) {
                    anyEndpoint.set(cloud.ec2().isReachable());
                    return !anyEndpoint.get() || new Instances(cloud.ec2(), "").terminate(one);
                  }
                },
                WorkerEnd::pause)
            .end(instance);
    if (!anyEndpoint.get()) {
      LOG.warn("instance {} cannot be ended: there is no EC2 endpoint here", instance);
    }
    return ended && anyEndpoint.get();
  }

  /** Waits for that time. */
  static void pause(Duration time) throws InterruptedException {
    boolean unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
