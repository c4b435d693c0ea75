package io.cloudkon.core.testing.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers CreateFleet: once for each token. Guarded by {@link FakeEc2}. */
final class FakeFleets {
  private record Call(Map<String, String> parameters, Ec2Answer answer) {}

  private final Map<String, Call> calls = new HashMap<>();
  private final FakeCatalogue catalogue;
  private final FakePools pools;
  private final FakeEc2 ec2;

  FakeFleets(FakeCatalogue catalogue, FakePools pools, FakeEc2 ec2) {
    this.catalogue = catalogue;
    this.pools = pools;
    this.ec2 = ec2;
  }

  Ec2Answer create(Ec2Query query) {
    String token = query.text("ClientToken");
    Call known = calls.get(token);
    if (known != null && !known.parameters().equals(query.besidesToken())) {
      return Ec2Answer.refused(
          400,
          "IdempotentParameterMismatch",
          "The client token '%s' was used with other parameters.".formatted(token));
    }
    if (known == null) {
      known = new Call(query.besidesToken(), launch(query));
      if (known.answer().status() == 200) {
        calls.put(token, known);
      }
    }
    return known.answer();
  }

  private Ec2Answer launch(Ec2Query query) {
    if (!query.text("Type").equals("instant")) {
      return Ec2Answer.refused(400, "InvalidParameterValue", "Type: only instant is known here");
    }
    Ec2Query config = query.parts("LaunchTemplateConfigs").getFirst();
    String template = config.text("LaunchTemplateSpecification.LaunchTemplateId");
    if (!catalogue.hasTemplate(template, config.text("LaunchTemplateSpecification.Version"))) {
      return Ec2Answer.refused(
          400,
          "InvalidLaunchTemplateId.NotFound",
          "The template %s does not exist.".formatted(template));
    }
    Purchase purchase =
        query.text("TargetCapacitySpecification.DefaultTargetCapacityType").equals("spot")
            ? Purchase.SPOT
            : Purchase.ON_DEMAND;
    int count = Integer.parseInt(query.text("TargetCapacitySpecification.TotalTargetCapacity"));
    List<Pool> overrides = overrides(config, purchase);
    if (overrides.stream()
        .anyMatch(pool -> overrides.stream().filter(one -> samePool(one, pool)).count() > 1)) {
      return Ec2Answer.refused(
          400, "InvalidFleetConfig", "The fleet configuration contains duplicate instance pools.");
    }
    List<FakeInstance> granted = new ArrayList<>();
    List<FakePools.Refused> refused =
        pools.take(
            count,
            overrides.stream().filter(pool -> catalogue.hasType(pool.type())).toList(),
            purchase,
            ec2.existing(),
            pool -> granted.add(ec2.start(pool, purchase, query.tags("instance"))));
    List<FakePools.Refused> all = new ArrayList<>(refused);
    overrides.stream()
        .filter(pool -> !catalogue.hasType(pool.type()) && granted.size() < count)
        .forEach(pool ->
            all.add(
                new FakePools.Refused(
                    pool,
                    "InvalidParameterValue",
                    "Invalid value '%s' for InstanceType.".formatted(pool.type()))));
    return Ec2Answer.ok("CreateFleet", answer(purchase, granted, all));
  }

  /** To EC2, a pool is a type in a zone. */
  private boolean samePool(Pool one, Pool other) {
    return one.type().equals(other.type())
        && catalogue.zone(one.subnet()).equals(catalogue.zone(other.subnet()));
  }

  private static List<Pool> overrides(Ec2Query config, Purchase purchase) {
    List<Ec2Query> all = new ArrayList<>(config.parts("Overrides"));
    if (purchase == Purchase.ON_DEMAND) {
      all.sort(Comparator.comparingDouble(one -> Double.parseDouble(one.text("Priority"))));
    }
    return all.stream()
        .map(one -> new Pool(one.text("InstanceType"), one.text("SubnetId")))
        .toList();
  }

  private static Xml answer(
      Purchase purchase, List<FakeInstance> granted, List<FakePools.Refused> refused) {
    String lifeCycle = purchase == Purchase.SPOT ? "spot" : "on-demand";
    Xml out = new Xml().put("fleetId", "fleet-1");
    out.in(
        "errorSet",
        () ->
            refused.forEach(one ->
                out.in(
                    "item",
                    () -> {
                      overrides(out, one.pool());
                      out.put("lifecycle", lifeCycle)
                          .put("errorCode", one.code())
                          .put("errorMessage", one.message());
                    })));
    out.in(
        "fleetInstanceSet",
        () ->
            granted.forEach(one ->
                out.in(
                    "item",
                    () -> {
                      overrides(out, one.pool());
                      out.put("lifecycle", lifeCycle)
                          .in("instanceIds", () -> out.put("item", one.id()))
                          .put("instanceType", one.pool().type());
                    })));
    return out;
  }

  private static void overrides(Xml out, Pool pool) {
    out.in(
        "launchTemplateAndOverrides",
        () ->
            out.in(
                "overrides",
                () -> {
                  out.put("instanceType", pool.type());
                  if (!pool.subnet().isEmpty()) {
                    out.put("subnetId", pool.subnet());
                  }
                }));
  }
}
