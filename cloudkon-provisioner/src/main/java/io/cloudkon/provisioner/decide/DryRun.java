package io.cloudkon.provisioner.decide;

import io.cloudkon.core.cli.Printable;
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
 * Makes the decisions of a provisioner and prints in each interval what it would launch. It only
 * reads: it takes no lease and does not disturb the active provisioner, whose launches it sees in
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

  /** A dry run that has read nothing yet. */
  public DryRun(ProvisioningSettings settings, Cluster cluster, TimeSource time, PrintStream out) {
    this.settings = settings;
    this.time = time;
    this.out = out;
    this.observer = new ClusterObserver(cluster, time);
    this.book = new DecisionBook(cluster.decisions());
    this.machine = new ProvisioningMachine(settings);
  }

  /** Runs until it is interrupted or the process ends. */
  public void run() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    do {
      out.printf(
          "%s %s%n",
          TIME.format(Instant.ofEpochMilli(time.serviceMillis())), Printable.line(look()));
    } while (!never.await(settings.interval(), TimeUnit.MILLISECONDS));
  }

  /** Reads the cluster once and returns the decision in one line. */
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
