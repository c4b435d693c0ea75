package io.cloudkon.worker.cli;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.aws.ec2.Instances;
import io.cloudkon.worker.lifetime.SelfEnd;
import io.cloudkon.worker.notice.OwnMachine;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last thing that a worker does: whatever ended it, the instance that a provisioner launched
 * for it ends with it. Thread safe: the main thread and that of a SIGTERM come here, and both wait
 * until it is done.
 */
final class WorkerEnd {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerEnd.class);

  private final OwnMachine machine;
  private final Ec2Service ec2;
  private boolean done;

  WorkerEnd(OwnMachine machine, Ec2Service ec2) {
    this.machine = machine;
    this.ec2 = ec2;
  }

  /**
   * On SIGTERM or Ctrl-C: the process stays until everything in hand is settled.
   *
   * @param besides what a person may do; a clause, or empty
   */
  void onSignal(WorkerService service, WorkerConfig config, String besides) {
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
    endMachine();
  }

  /** To be called when the worker has ended, and all it had to say is said. */
  synchronized void endMachine() {
    if (done) {
      return;
    }
    done = true;
    try {
      Optional<String> instance = machine.launchedInstance();
      if (instance.isPresent()) {
        end(instance.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(String instance) throws InterruptedException {
    if (!ec2.isReachable()) {
      LOG.warn("instance {} cannot be ended: there is no EC2 endpoint here", instance);
      return;
    }
    System.err.printf("cloudkon worker: ends its instance, %s%n", instance);
    CountDownLatch never = new CountDownLatch(1);
    boolean unused =
        new SelfEnd(new Instances(ec2, "")::terminate, time -> pause(never, time)).end(instance);
  }

  private static void pause(CountDownLatch never, Duration time) throws InterruptedException {
    boolean unused = never.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
