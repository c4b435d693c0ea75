package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.provisioner.launch.ec2.CheckedLaunch;
import io.cloudkon.provisioner.launch.ec2.Ec2Launcher;
import io.cloudkon.provisioner.launch.ec2.LaunchCheck;
import io.cloudkon.provisioner.launch.ec2.PurchasePlan;
import io.cloudkon.provisioner.launch.ec2.WantedLaunch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sets up the launcher of EC2 instances according to the options. Used by one thread. */
final class Ec2Setup implements LauncherSetup {
  private final String queue;
  private final Ec2Options options;
  private final ProcessOptions workers;
  private final PriceOptions prices;
  private @Nullable CheckedLaunch checked;
  private Map<String, Double> known = Map.of();

  Ec2Setup(String queue, Ec2Options options, ProcessOptions workers, PriceOptions prices) {
    this.queue = queue;
    this.options = options;
    this.workers = workers;
    this.prices = prices;
  }

  @Override
  public void check() {
    WantedLaunch wanted = options.wanted(queue);
    workers.checkOnInstances();
    if (!wanted.types().isEmpty()) {
      var unused = priced(wanted.types());
    }
  }

  private Map<String, Double> priced(List<String> types) {
    InstanceTypes list = prices.list(Set.copyOf(types));
    Map<String, Double> usd = new HashMap<>();
    types.forEach(type -> list.usdPerHour(type).ifPresent(price -> usd.put(type, price)));
    for (String type : types) {
      if (!usd.containsKey(type) && Double.isFinite(prices.limit())) {
        throw new UsageException(
            "--max-hourly: the price of %s is not known; give it with --price %s=USD"
                .formatted(type, type));
      }
    }
    usd.forEach(prices::checkAllowsOne);
    return usd;
  }

  @Override
  public Workers workers(AwsCloud cloud) {
    standsIn(cloud);
    LaunchCheck check =
        new LaunchCheck(
            cloud.ec2(), warning -> System.err.printf("cloudkon provisioner: %s%n", warning));
    CheckedLaunch launch = check.check(options.wanted(queue));
    checked = launch;
    prices.checkRegion(cloud.region(), launch.types());
    known = priced(launch.types());
    double dearest = known.values().stream().mapToDouble(price -> price).max().orElse(0);
    unpriced(launch.types(), known, options.wanted(queue).purchase())
        .ifPresent(line -> System.err.printf("cloudkon provisioner: %s%n", line));
    return new Workers(
        slots(launch), dearest, all(known), workers.slots == null ? launch.vcpus() : Map.of());
  }

  /**
   * Says in which order on-demand purchases try the types if the price of one is missing; empty if
   * none is, or if nothing is bought on demand, since for Spot EC2 chooses.
   */
  static Optional<String> unpriced(
      List<String> types, Map<String, Double> known, PurchasePlan purchase) {
    List<String> unknown = types.stream().filter(type -> !known.containsKey(type)).toList();
    return types.size() < 2 || unknown.isEmpty() || purchase == PurchasePlan.SPOT_ONLY
        ? Optional.empty()
        : Optional.of(
            "the price of %s is not known, so on-demand purchases try types in the order of --instance-types; for the cheapest first, give %s"
                .formatted(
                    String.join(", ", unknown),
                    unknown.stream()
                        .map("--price %s=USD"::formatted)
                        .collect(Collectors.joining(" "))));
  }

  /** With the prices of all other types: workers of an earlier provisioner may be of those. */
  private Map<String, Double> all(Map<String, Double> own) {
    Map<String, Double> all = new HashMap<>();
    prices.list(own.keySet()).types().forEach((name, type) -> all.put(name, type.usdPerHour()));
    all.putAll(own);
    return all;
  }

  /** Checks that the cluster exists; if it does not, the region is usually wrong. */
  private void standsIn(AwsCloud cloud) {
    try {
      cloud.probe(queue);
      var unused = cloud.cluster(queue).decisions().provisioner();
    } catch (MissingResourceException e) {
      throw new UsageException(
          "%s; this is region %s".formatted(e.getMessage(), cloud.region()), e);
    }
  }

  private int slots(CheckedLaunch launch) {
    if (workers.slots != null) {
      return workers.slots;
    }
    return launch
        .fewestVcpus()
        .orElseThrow(() ->
            new UsageException(
                "--worker-slots: the vCPUs of %s are not known; give the minimum number of slots of a worker"
                    .formatted(String.join(", ", launch.types()))));
  }

  @Override
  public Opened open(AwsCloud cloud, SystemTime time) {
    CheckedLaunch launch = checked;
    if (launch == null) {
      throw new IllegalStateException("opened before it was checked");
    }
    Ec2Launcher launcher =
        new Ec2Launcher(
            launch.config(type -> known.getOrDefault(type, Double.NaN)), cloud.ec2(), time);
    return new OnEc2(
        launcher,
        "launch template %s, version %s, in %s"
            .formatted(launch.template().id(), launch.template().version(), cloud.region()));
  }

  record OnEc2(InstanceLauncher launcher, String about) implements Opened {
    @Override
    public void drain(Consumer<String> say) {
      say.accept("stopping; instances keep working, and end themselves when they are idle");
    }

    @Override
    public void close() {}
  }
}
