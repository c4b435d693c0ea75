package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.aws.ec2.Ec2Launches;
import io.cloudkon.core.aws.ec2.FleetAnswer;
import io.cloudkon.core.aws.ec2.Fleets;
import io.cloudkon.core.aws.ec2.Instances;
import io.cloudkon.core.aws.ec2.LaunchTemplate;
import io.cloudkon.core.aws.ec2.LaunchTemplates;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure.Kind;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Launches workers as EC2 instances, with fleets of type {@code instant} and the decision's token.
 * A pool that refuses is left out of later requests for three minutes; if every pool refuses Spot,
 * instances are bought on demand. Thread safe.
 */
public final class Ec2Launcher implements InstanceLauncher {
  /** The name of this launcher. */
  public static final String NAME = Ec2Launches.LAUNCHER;

  private final LaunchConfig config;
  private final Fleets fleets;
  private final Instances instances;
  private final LaunchTemplates templates;
  private final RefusedPools refused;
  private final TimeSource time;

  /** The reasons why instances ended, from the last listing. */
  private final Map<String, String> reasons = new ConcurrentHashMap<>();

  /** A launcher that makes no call yet. */
  public Ec2Launcher(LaunchConfig config, Ec2Service ec2, TimeSource time) {
    this.config = config;
    this.fleets = new Fleets(ec2);
    this.instances = new Instances(ec2, config.cluster());
    this.templates = new LaunchTemplates(ec2);
    this.refused = new RefusedPools(time);
    this.time = time;
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Looks up the number of the template's version. If all pools have refused, the request names all
   * of them.
   */
  @Override
  public Map<String, String> request() {
    LaunchTemplate template =
        templates
            .find(config.template(), config.version())
            .orElseThrow(() ->
                new CloudKonException(
                    "the launch template %s, or its version %s, no longer exists; make it again, or restart the provisioner with another"
                        .formatted(config.template(), config.version())));
    RefusedPools.Choice choice =
        refused
            .open(config.pools(), config.purchase())
            .orElse(new RefusedPools.Choice(config.pools(), config.purchase().first()));
    return new LaunchRequest(
            config.cluster(), template.id(), template.version(), choice.purchase(), choice.pools())
        .text();
  }

  @Override
  public boolean serves(Map<String, String> asked) {
    return LaunchRequest.parse(asked).isPresent();
  }

  @Override
  public Launch launch(String token, int count, Map<String, String> asked) {
    Optional<LaunchRequest> request = LaunchRequest.parse(asked);
    if (request.isEmpty()) {
      return new Launch(
          List.of(),
          List.of(
              new Failure(
                  Failure.Kind.CONFIGURATION,
                  "other-launcher",
                  "the decision was made for another launcher, or by another version")));
    }
    FleetAnswer answer = fleets.create(request.get().order(token, count), time.serviceMillis());
    List<LaunchedInstance> granted = answer.instances();
    if (granted.size() < count && (granted.isEmpty() || answer.refusals().isEmpty())) {
      granted = withListed(token, granted);
    }
    // An earlier call was carried out, so the refusal of this one says nothing about the pools.
    boolean again = answer.instances().isEmpty() && !granted.isEmpty();
    boolean othersLeft = !again && othersLeft(request.get(), answer.refusals());
    return answer(granted, answer, othersLeft);
  }

  private Launch answer(List<LaunchedInstance> granted, FleetAnswer answer, boolean othersLeft) {
    List<Failure> why =
        new ArrayList<>(answer.refusals().stream().map(FleetAnswer.Refusal::failure).toList());
    if (!why.isEmpty()
        && !othersLeft
        && why.stream().allMatch(one -> one.kind() == Kind.CONFIGURATION)) {
      // Other pools, which were not tried now, may lack capacity only for a while.
      refused.failures().stream().filter(one -> one.kind() != Kind.CONFIGURATION).forEach(why::add);
    }
    return new Launch(
        granted, why.stream().map(LaunchAdvice::with).distinct().toList(), othersLeft);
  }

  /**
   * Adds instances from the list: LocalStack grants all instances but names only one, and EC2 may
   * refuse a call that it had carried out before.
   */
  private List<LaunchedInstance> withListed(String token, List<LaunchedInstance> named) {
    Map<String, LaunchedInstance> all = new LinkedHashMap<>();
    named.forEach(one -> all.put(one.id(), one));
    instances().stream()
        .filter(one -> one.launch().equals(token))
        .forEach(one -> all.putIfAbsent(one.id(), one));
    return List.copyOf(all.values());
  }

  /** Remembers the pools that refused, and returns whether other pools are left for the rest. */
  private boolean othersLeft(LaunchRequest request, List<FleetAnswer.Refusal> refusals) {
    boolean anyRefused = false;
    for (FleetAnswer.Refusal refusal : refusals) {
      if (ofItsPools(refusal)) {
        refused.refused(refusal.pools(), request.purchase(), refusal.failure());
        anyRefused = true;
      }
    }
    return anyRefused && refused.open(config.pools(), config.purchase()).isPresent();
  }

  /**
   * Whether a refusal is specific to its pools: an error that concerns every pool is not, and
   * throttling never is.
   */
  private boolean ofItsPools(FleetAnswer.Refusal refusal) {
    return switch (refusal.failure().kind()) {
      case CAPACITY, QUOTA -> true;
      case CONFIGURATION -> refusal.pools().size() < config.pools().size();
      case THROTTLE -> false;
    };
  }

  @Override
  public List<LaunchedInstance> instances() {
    List<Instances.Listed> listed = instances.list();
    reasons.clear();
    listed.stream()
        .filter(one -> !one.reason().isEmpty())
        .forEach(one -> reasons.put(one.instance().id(), one.reason()));
    return listed.stream().map(Instances.Listed::instance).toList();
  }

  @Override
  public String explanation(String instance) {
    return reasons.getOrDefault(
        instance,
        "its console output may tell: aws ec2 get-console-output --instance-id " + instance);
  }

  @Override
  public void terminate(List<String> ids) {
    instances.terminate(ids);
  }
}
