package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A launcher under the rules of {@link InstanceLauncher}: a launch happens once for each token.
 * Instances take some time to come up; some never do, some come up late or twice.
 */
public final class SimInstances {
  private static final InstanceLauncher.Failure NO_ROOM =
      new InstanceLauncher.Failure(
          InstanceLauncher.Failure.Kind.CAPACITY,
          "InsufficientInstanceCapacity",
          "no room for that now");

  /** How long ended instances are listed, in microseconds. */
  private static final long REMEMBERED = 600_000_000;

  private final Network network;
  private final BootSettings settings;
  private final SplittableRandom random;
  private final Map<String, InstanceLauncher.Launch> launches = new HashMap<>();
  private final Map<String, SimInstance> instances = new LinkedHashMap<>();
  private Function<LaunchedInstance, Booted> boots = NobodyComesUp::of;
  private LaunchWatch watch = new NobodyWatches();

  /** When the first of the launches was refused since one brought an instance; -1 if none was. */
  private long refusedFrom = -1;

  SimInstances(Network network, BootSettings settings, SplittableRandom random) {
    this.network = network;
    this.settings = settings;
    this.random = random;
  }

  /** Sets what starts the worker of an instance that has come up. */
  public void onBoot(Function<LaunchedInstance, Booted> what) {
    boots = what;
  }

  /** Sets the receiver of launches. */
  public void watchedBy(LaunchWatch who) {
    watch = who;
  }

  /** Launches up to {@code count} instances. */
  public void launch(
      SimProcess caller,
      String token,
      int count,
      Map<String, String> request,
      Reply<InstanceLauncher.Launch> reply) {
    network.call(
        caller,
        Call.LAUNCH,
        1,
        () -> "launches %d as %s".formatted(count, token),
        () -> launch(token, count, request),
        reply);
  }

  private InstanceLauncher.Launch launch(String token, int count, Map<String, String> request) {
    InstanceLauncher.Launch before = launches.get(token);
    if (before != null) {
      watch.again(token, count, request);
      return before;
    }
    int granted = granted(count);
    long now = network.timeline().now();
    refusedFrom = granted > 0 ? -1 : refusedFrom < 0 ? now : refusedFrom;
    List<LaunchedInstance> made = new ArrayList<>();
    for (int i = 0; i < granted; i++) {
      made.add(make(token));
    }
    InstanceLauncher.Launch launch =
        new InstanceLauncher.Launch(made, granted == count ? List.of() : List.of(NO_ROOM));
    launches.put(token, launch);
    watch.launched(token, count, request, launch);
    return launch;
  }

  private int granted(int count) {
    if (!faulty()) {
      return count;
    }
    double drawn = random.nextDouble();
    if (drawn < settings.refused()) {
      return 0;
    }
    return drawn < settings.refused() + settings.half() ? (count + 1) / 2 : count;
  }

  private boolean faulty() {
    return network.timeline().now() < settings.untilMicros();
  }

  private LaunchedInstance make(String token) {
    LaunchedInstance what =
        new LaunchedInstance(
            "i-" + (instances.size() + 1),
            token,
            "simulated",
            "on-demand",
            LaunchedInstance.State.PENDING,
            network.timeline().now() / 1000);
    long unlisted = faulty() && settings.unlisted() > 0 ? random.nextLong(settings.unlisted()) : 0;
    SimInstance instance = new SimInstance(what, network.timeline().now() + unlisted);
    instances.put(what.id(), instance);
    long boot = settings.least() + random.nextLong(settings.most() - settings.least() + 1);
    double drawn = faulty() ? random.nextDouble() : 1;
    instance.toCome = 1;
    if (drawn < settings.never()) {
      return what;
    }
    boolean late = drawn < settings.never() + settings.late();
    long first = late ? settings.lateBy() + random.nextLong(settings.most()) : boot;
    comesUp(instance, first);
    if (faulty() && random.nextDouble() < settings.twice()) {
      instance.toCome++;
      comesUp(instance, first + random.nextLong(settings.most()));
    }
    return what;
  }

  private void comesUp(SimInstance instance, long micros) {
    network
        .timeline()
        .in(
            micros,
            () -> {
              instance.toCome--;
              if (!instance.terminated && instance.workers.stream().noneMatch(Booted::ended)) {
                // A reboot kills everything that runs on the machine.
                instance.workers.forEach(Booted::die);
                instance.workers.add(boots.apply(instance.what));
              }
            });
  }

  /** Lists the instances that exist or ended recently, but possibly not the newest. */
  public void list(SimProcess caller, Reply<List<LaunchedInstance>> reply) {
    network.call(caller, Call.INSTANCE_LIST, 1, () -> "lists instances", this::listed, reply);
  }

  private List<LaunchedInstance> listed() {
    long now = network.timeline().now();
    List<LaunchedInstance> all = new ArrayList<>();
    for (SimInstance instance : instances.values()) {
      instance.look(now);
      boolean forgotten = instance.goneSince > 0 && now - instance.goneSince > REMEMBERED;
      if (now >= instance.listedFrom && !forgotten) {
        all.add(instance.listed());
      }
    }
    return all;
  }

  /**
   * Terminates instances; workers that still run when they end are killed. The answer is whether
   * none of them is protected.
   */
  public void terminate(SimProcess caller, List<String> ids, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.TERMINATE,
        1,
        () -> "terminates " + ids,
        () -> {
          ids.stream().filter(id -> !isProtected(id)).forEach(this::terminate);
          return ids.stream().noneMatch(this::isProtected);
        },
        reply);
  }

  private boolean isProtected(String id) {
    return settings.protects() && faulty() && id.hashCode() % 3 == 0;
  }

  private void terminate(String id) {
    SimInstance instance = instances.get(id);
    if (instance != null && !instance.terminated) {
      instance.terminated = true;
      if (settings.ends() == 0) {
        instance.ends();
      } else {
        network.timeline().in(settings.ends(), instance::ends);
      }
    }
  }

  /** The instances that boot or on which a worker lives. */
  public List<LaunchedInstance> existing() {
    long now = network.timeline().now();
    instances.values().forEach(instance -> instance.look(now));
    return instances.values().stream()
        .filter(SimInstance::exists)
        .map(instance -> instance.what)
        .toList();
  }

  /** The instances of a launch; empty if there was none with this token. */
  public List<LaunchedInstance> grantedTo(String token) {
    InstanceLauncher.Launch launch = launches.get(token);
    return launch == null ? List.of() : launch.instances();
  }

  /** Whether all launches have been refused for so long, in microseconds. */
  public boolean haveBeenRefusedFor(long micros) {
    return refusedFrom >= 0 && network.timeline().now() - refusedFrom >= micros;
  }

  /** The number of instances that were ever launched. */
  public int launched() {
    return instances.size();
  }

  /** A worker that has left as soon as it comes up. */
  private record NobodyComesUp() implements Booted {
    static Booted of(LaunchedInstance instance) {
      return new NobodyComesUp();
    }

    @Override
    public boolean left() {
      return true;
    }

    @Override
    public boolean ended() {
      return true;
    }

    @Override
    public void die() {}
  }

  private static final class NobodyWatches implements LaunchWatch {
    @Override
    public void launched(
        String token, int count, Map<String, String> request, InstanceLauncher.Launch launch) {}

    @Override
    public void again(String token, int count, Map<String, String> request) {}
  }
}
