package io.cloudkon.provisioner.decide;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.memory.MemoryInstanceLauncher;
import io.cloudkon.core.memory.faults.ScriptedPlan;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.testing.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A cluster in memory with a launcher in memory; its time is turned by hand. */
final class ProvisionerBed {
  static final int MAX = 3;
  static final long INTERVAL = 1_000;

  final ManualTime time = new ManualTime();
  final ScriptedPlan faults = new ScriptedPlan();
  final InstanceLauncher used;
  final int max;
  final Cluster reliable;
  final Cluster cluster;

  ProvisionerBed() {
    this(MAX, MemoryInstanceLauncher::new);
  }

  /** With another launcher, of the same time. */
  ProvisionerBed(int max, Function<ManualTime, InstanceLauncher> launchers) {
    this.max = max;
    used = launchers.apply(time);
    MemoryCloud cloud = new MemoryCloud(time);
    time.onAdvance(cloud::tick);
    reliable = cloud.setup("Q");
    cluster = new UnreliableCluster(reliable, faults).cluster();
  }

  private static ProvisioningSettings settings(int most) {
    return new ProvisioningSettings(
        new ProvisioningSettings.Policy.DrainTime(300_000),
        0,
        most,
        2,
        WorkerTakes.ALL,
        INTERVAL,
        60_000,
        0,
        Double.POSITIVE_INFINITY,
        0.36);
  }

  ProvisionerService provisioner(String id, HaltPoint.Reached halt) {
    return provisioner(id, max, used, halt);
  }

  /** One that sees the cluster through something else. */
  ProvisionerService seeing(String id, UnaryOperator<Cluster> through) {
    return new ProvisionerService(
        new ProvisionerConfig(id, "host of " + id, settings(max), LeaseSettings.DEFAULT),
        through.apply(cluster),
        used,
        time,
        new Random(id.hashCode()));
  }

  /** One that was told another maximum, or launches elsewhere. */
  ProvisionerService provisioner(
      String id, int most, InstanceLauncher own, HaltPoint.Reached halt) {
    ObservedPorts ports = new ObservedPorts(halt);
    return new ProvisionerService(
        new ProvisionerConfig(id, "host of " + id, settings(most), LeaseSettings.DEFAULT),
        ports.cluster(cluster),
        ports.launcher(own),
        time,
        new Random(id.hashCode()));
  }

  /** The launcher in memory, if it is that one. */
  MemoryInstanceLauncher memory() {
    return (MemoryInstanceLauncher) used;
  }

  ProvisionerService provisioner(String id) {
    return provisioner(id, HaltPoint.Reached.IGNORED);
  }

  DryRun dryRun() {
    return new DryRun(settings(max), cluster, time, System.out);
  }

  /** A run with so much work that the whole fleet is wanted. */
  void backlog() {
    long now = time.serviceMillis();
    RunEntry run =
        new RunEntry(
            "run",
            "epoch",
            RunEntry.State.OPEN,
            Consistency.EXACTLY_ONCE,
            "Q-response-1",
            "client",
            "host",
            now + 3_600_000,
            "",
            10_000,
            10_000,
            Map.of(),
            new RemainingWork(100, 1e6, 0, 0, Set.of(Work.Kind.SLEEP)),
            now,
            now);
    if (!reliable.runs().create(run)) {
      throw new IllegalStateException("there is a run already");
    }
  }

  /** What was launched registers. */
  void register(LaunchedInstance instance) {
    register(
        "w-" + instance.id(),
        new WorkerOrigin(instance.launch(), instance.id(), instance.type(), ""));
  }

  /** A worker writes its entry. */
  void register(String worker, WorkerOrigin origin) {
    long now = time.serviceMillis();
    reliable
        .workers()
        .put(
            new WorkerEntry(
                worker,
                "host",
                origin,
                WorkerTakes.ALL,
                "worker",
                "",
                2,
                2,
                0.5,
                1,
                10,
                1,
                now,
                now));
  }

  /** So many intervals of one provisioner. */
  void steps(ProvisionerService provisioner, int number) {
    for (int i = 0; i < number; i++) {
      long unused = provisioner.step();
      time.advanceMillis(INTERVAL);
    }
  }

  List<Decision> decisions() {
    return reliable.decisions().decisions(1, 100);
  }
}
