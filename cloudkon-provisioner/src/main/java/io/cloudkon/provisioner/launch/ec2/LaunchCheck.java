package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.aws.ec2.DeniedException;
import io.cloudkon.core.aws.ec2.LaunchFacts;
import io.cloudkon.core.aws.ec2.LaunchFacts.SubnetState;
import io.cloudkon.core.aws.ec2.LaunchTemplate;
import io.cloudkon.core.aws.ec2.LaunchTemplates;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.price.InstanceTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Checks with EC2 at the start whether launches can work: the template, the types, the subnets and
 * the permissions. It launches nothing. If the permission for a query is missing, it prints a
 * warning and continues.
 */
public final class LaunchCheck {
  private final Ec2Service ec2;
  private final LaunchFacts facts;
  private final Consumer<String> warnings;

  /** A check that makes no call yet. */
  public LaunchCheck(Ec2Service ec2, Consumer<String> warnings) {
    this.ec2 = ec2;
    this.facts = new LaunchFacts(ec2);
    this.warnings = warnings;
  }

  /**
   * Performs all checks.
   *
   * @throws UsageException if a launch could not work; the message names the wrong option
   */
  public CheckedLaunch check(WantedLaunch wanted) {
    LaunchTemplate template = template(wanted);
    List<String> types = types(wanted, template);
    Map<String, Integer> vcpus = vcpus(types);
    subnets(wanted);
    trial(wanted, template, types);
    return new CheckedLaunch(wanted, template, types, vcpus);
  }

  private LaunchTemplate template(WantedLaunch wanted) {
    LaunchTemplate template;
    try {
      template =
          new LaunchTemplates(ec2)
              .find(wanted.template(), wanted.version())
              .orElseThrow(() ->
                  new UsageException(
                      "--launch-template %s: region %s has no such launch template, or not its version %s"
                          .formatted(wanted.template(), ec2.region(), wanted.version())));
    } catch (DeniedException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
    warnOfNewer(wanted, template);
    if (template.tagsSpotRequests() && wanted.purchase() != PurchasePlan.SPOT_ONLY) {
      throw new UsageException(
          "--launch-template %s: it has tags for spot-instances-request, with which no instance can be bought on demand; remove them, or use --purchase spot-only"
              .formatted(wanted.template()));
    }
    if (!template.endsOnShutdown()) {
      warnings.accept(
          "launch template %s lacks InstanceInitiatedShutdownBehavior=terminate: an instance that powers off would be kept and billed"
              .formatted(wanted.template()));
    }
    if (!template.metadataTags()) {
      warnings.accept(
          "launch template %s lacks InstanceMetadataTags=enabled: a worker cannot read its launch there, and would count as one that did not come up"
              .formatted(wanted.template()));
    }
    return template;
  }

  /** CloudFormation adds a version to a template that changes, and leaves the default as it was. */
  private void warnOfNewer(WantedLaunch wanted, LaunchTemplate template) {
    if (!wanted.version().equals(LaunchTemplates.DEFAULT)) {
      return;
    }
    new LaunchTemplates(ec2)
        .find(wanted.template(), LaunchTemplates.LATEST)
        .filter(latest -> !latest.version().equals(template.version()))
        .ifPresent(latest ->
            warnings.accept(
                "launch template %s: its default version %s is used, and there is a newer one, %s; --launch-template %s:latest uses that"
                    .formatted(
                        wanted.template(),
                        template.version(),
                        latest.version(),
                        wanted.template())));
  }

  private static List<String> types(WantedLaunch wanted, LaunchTemplate template) {
    List<String> types = wanted.types().isEmpty() ? List.of(template.type()) : wanted.types();
    if (types.contains("")) {
      throw new UsageException(
          "the launch template %s names no instance type; name some with --instance-types"
              .formatted(wanted.template()));
    }
    return types.stream().distinct().toList();
  }

  private Map<String, Integer> vcpus(List<String> types) {
    Map<String, Integer> vcpus = new HashMap<>();
    InstanceTypes.list().types().values().stream()
        .filter(listed -> types.contains(listed.name()))
        .forEach(listed -> vcpus.put(listed.name(), listed.slots()));
    Map<String, Integer> unknown = new HashMap<>();
    types.forEach(type -> unknown.put(type, 0));
    Map<String, Integer> found =
        looked(() -> facts.vcpus(types), "the instance types are not checked", unknown);
    for (String type : types) {
      if (!found.containsKey(type)) {
        throw new UsageException(
            "--instance-types %s: region %s has no such type".formatted(type, ec2.region()));
      }
      if (found.get(type) > 0) {
        vcpus.put(type, found.get(type));
      }
    }
    return vcpus;
  }

  private void subnets(WantedLaunch wanted) {
    if (wanted.subnets().isEmpty()) {
      return;
    }
    Map<String, SubnetState> unknown = new HashMap<>();
    wanted.subnets().forEach(subnet -> unknown.put(subnet, new SubnetState(1, "")));
    Map<String, SubnetState> states =
        looked(() -> facts.subnets(wanted.subnets()), "the subnets are not checked", unknown);
    Map<String, String> byZone = new HashMap<>();
    for (String subnet : wanted.subnets()) {
      SubnetState state = states.get(subnet);
      if (state == null) {
        throw new UsageException(
            "--subnets %s: region %s has no such subnet".formatted(subnet, ec2.region()));
      }
      String other = state.zone().isEmpty() ? null : byZone.putIfAbsent(state.zone(), subnet);
      if (other != null) {
        throw new UsageException(
            "--subnets %s,%s: both are in zone %s, and EC2 refuses a fleet with two subnets of a zone; name one subnet per zone"
                .formatted(other, subnet, state.zone()));
      }
      if (state.freeAddresses() == 0) {
        // perhaps only because of this cluster's own instances
        warnings.accept(
            "--subnets %s: it has no free addresses now; nothing is launched there until some are free"
                .formatted(subnet));
      }
    }
  }

  /** Tries each type and each subnet once, because an error of one of them occurs in every pool. */
  private void trial(WantedLaunch wanted, LaunchTemplate template, List<String> types) {
    List<Pool> pools = CheckedLaunch.pools(types, wanted.subnets());
    Pool first = pools.getFirst();
    for (Pool pool : pools) {
      if (pool.type().equals(first.type()) || pool.subnet().equals(first.subnet())) {
        String what = pools.size() == 1 ? "nothing" : "no instance of " + pool;
        refuse(what, facts.trial(wanted.cluster(), template, pool));
      }
    }
    if (wanted.purchase().first() == Purchase.SPOT) {
      spotTrial(wanted, facts.spotTrial(wanted.cluster(), template, first));
    }
  }

  /**
   * Evaluates the trial of Spot. A missing permission is a warning, because EC2 documents which one
   * a call of RunInstances needs, but not that a fleet needs the same.
   */
  private void spotTrial(WantedLaunch wanted, Optional<Failure> found) {
    Optional<Failure> denied = found.filter(one -> one.code().equals("UnauthorizedOperation"));
    if (denied.isEmpty()) {
      refuse("nothing", found);
      return;
    }
    warnings.accept(
        "Spot instances may be refused%s: %s: %s"
            .formatted(
                wanted.purchase() == PurchasePlan.SPOT_ONLY
                    ? ", and then nothing is launched"
                    : ", and then on-demand instances are bought, at their higher price",
                denied.get().code(),
                LaunchAdvice.with(denied.get()).message()));
  }

  private static void refuse(String what, Optional<Failure> found) {
    found
        .map(LaunchAdvice::with)
        .ifPresent(failure -> {
          throw new UsageException(
              "%s can be launched: %s: %s".formatted(what, failure.code(), failure.message()));
        });
  }

  private <T> T looked(Supplier<T> look, String otherwise, T assumed) {
    try {
      return look.get();
    } catch (DeniedException e) {
      warnings.accept("%s: %s".formatted(otherwise, e.getMessage()));
      return assumed;
    }
  }
}
