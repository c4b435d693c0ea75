package io.cloudkon.provisioner.decide;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.protocol.provisioning.ProvisioningMachine;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.provisioner.observe.ClusterObserver;
import io.cloudkon.provisioner.record.DecisionBook;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Decides as a provisioner does, and says what it would launch, each interval. It reads only: it
 * takes no lease, and disturbs no provisioner that has it. What is launched by that one it sees in
 * the table. Used by one thread.
 */
public final class DryRun {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private final ProvisioningSettings settings;
  private final TimeSource time;
  private final PrintStream out;
  private final ClusterObserver observer;
  private final DecisionBook book;
  private final ProvisioningMachine machine;

  /** Has not looked yet. */
  public DryRun(ProvisioningSettings settings, Cluster cluster, TimeSource time, PrintStream out) {
    this.settings = settings;
    this.time = time;
    this.out = out;
    this.observer = new ClusterObserver(cluster, time);
    this.book = new DecisionBook(cluster.decisions());
    this.machine = new ProvisioningMachine(settings);
  }

  /** Goes on until interrupted, or the process ends. */
  public void run() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    do {
      out.printf("%s %s%n", TIME.format(Instant.ofEpochMilli(time.serviceMillis())), look());
    } while (!never.await(settings.interval(), TimeUnit.MILLISECONDS));
  }

  /** One look, in one line. */
  String look() {
    try {
      book.read();
      FleetPlan plan = machine.decide(observer.look(book.open(), Set.of(), List.of()), time.now());
      String launch =
          plan.launch() == 0
              ? "would launch nothing"
              : "would launch %d worker%s".formatted(plan.launch(), plan.launch() == 1 ? "" : "s");
      return "%s: %s (%s)".formatted(launch, plan.fleet().reason(), plan.seen());
    } catch (MissingResourceException e) {
      throw e;
    } catch (CloudKonException e) {
      return "would launch nothing: " + e.getMessage();
    }
  }
}
