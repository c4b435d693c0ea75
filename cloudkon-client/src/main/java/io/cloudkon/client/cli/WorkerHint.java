package io.cloudkon.client.cli;

import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.client.status.ProvisionerText;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells a person who waits for results that no worker lives, after a while without any: once how to
 * start one, and where a provisioner is at work, what that does about it, anew when that changes.
 */
final class WorkerHint implements AutoCloseable {
  private static final long AFTER_SECONDS = 10;
  private static final long AGAIN_SECONDS = 30;

  private final Cluster cluster;
  private final Workload workload;
  private final LongSupplier done;
  private final TimeSource time;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Starts to watch.
   *
   * @param done results so far
   */
  WorkerHint(Cluster cluster, Workload workload, LongSupplier done, TimeSource time) {
    this.cluster = cluster;
    this.workload = workload;
    this.done = done;
    this.time = time;
    this.thread = Thread.ofVirtual().name("cloudkon-hint").start(this::watch);
  }

  private void watch() {
    Optional<Hint> said = Optional.empty();
    try {
      boolean over = ended.await(AFTER_SECONDS, TimeUnit.SECONDS);
      while (!over && done.getAsLong() == 0) {
        Optional<Hint> hint = look(cluster, workload, time.serviceMillis());
        Optional<String> before = said.map(Hint::what);
        hint.filter(now -> !before.equals(Optional.of(now.what())))
            .ifPresent(now -> System.err.println("cloudkon client: " + now.line()));
        said = hint;
        if (hint.filter(now -> !now.mayChange()).isPresent()) {
          return;
        }
        over = ended.await(AGAIN_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (CloudKonException e) {
      // Nobody can say: then nothing is said.
      return;
    }
  }

  /**
   * What is to be said.
   *
   * @param what tells it from another, whatever the time
   * @param mayChange whether somebody does something about it
   */
  record Hint(String line, String what, boolean mayChange) {}

  /** The hint; empty if a worker lives. One call, and another where none does. */
  static Optional<Hint> look(Cluster cluster, Workload workload, long now) {
    if (cluster.workers().list().stream().anyMatch(worker -> worker.livesAt(now))) {
      return Optional.empty();
    }
    ProvisionerStatus provisioner = ProvisionerStatus.read(cluster.decisions(), now);
    if (provisioner.live().isEmpty()) {
      String start =
          "no worker lives; the tasks wait. Start one with: cloudkon worker -s %s"
              .formatted(cluster.name());
      return Optional.of(new Hint(start, start, false));
    }
    boolean jobs = workload.summary().filter(all -> all.jobs() == all.tasks()).isPresent();
    String help = ProvisionerText.help(provisioner, cluster.name(), workload.kinds(), jobs);
    boolean boots = provisioner.live().orElseThrow().fleet().booting() > 0;
    return Optional.of(
        new Hint("no worker lives; the tasks wait: " + help, boots ? "they boot" : help, true));
  }

  @Override
  public void close() throws InterruptedException {
    ended.countDown();
    thread.join();
  }
}
