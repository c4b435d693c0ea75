package io.cloudkon.core.testing.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.time.TimeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The instances of {@link FakeEc2}: starts, lists and ends them. Guarded by that one. */
final class FakeMachines {
  private final TimeSource time;
  private final Map<String, FakeInstance> instances = new LinkedHashMap<>();

  /** What a call is answered that is to end one of these. */
  final Map<String, Ec2Answer> kept = new LinkedHashMap<>();

  long bootMillis;
  long unlistedMillis;
  long endingMillis;
  int page = Integer.MAX_VALUE;

  FakeMachines(TimeSource time) {
    this.time = time;
  }

  List<FakeInstance> all() {
    return List.copyOf(instances.values());
  }

  void end(String id) {
    instances.get(id).end(now());
  }

  FakeInstance start(Pool pool, Purchase purchase, Map<String, String> tags) {
    String id = "i-%08x".formatted(instances.size() + 1);
    FakeInstance instance =
        new FakeInstance(id, pool, purchase, tags, now(), bootMillis, unlistedMillis);
    instances.put(id, instance);
    return instance;
  }

  private long now() {
    return time.serviceMillis();
  }

  Ec2Answer describe(Ec2Query query) {
    long now = now();
    List<FakeInstance> found =
        instances.values().stream()
            .filter(one -> one.listed(now) && matches(one, query.parts("Filter")))
            .toList();
    String token = query.text("NextToken");
    int from = token.isEmpty() ? 0 : Integer.parseInt(token);
    int to = (int) Math.min(found.size(), (long) from + page);
    Xml out = new Xml();
    out.in(
        "reservationSet",
        () ->
            found
                .subList(from, to)
                .forEach(one ->
                    out.in(
                        "item",
                        () ->
                            out.in(
                                "instancesSet",
                                () -> out.in("item", () -> one.xml(out, now, endingMillis))))));
    if (to < found.size()) {
      out.put("nextToken", to);
    }
    return Ec2Answer.ok("DescribeInstances", out);
  }

  private static boolean matches(FakeInstance one, List<Ec2Query> filters) {
    return filters.stream()
        .allMatch(filter -> {
          String key = filter.text("Name").replaceFirst("^tag:", "");
          return filter.texts("Value").contains(one.tags().getOrDefault(key, "\0"));
        });
  }

  Ec2Answer terminate(Ec2Query query) {
    List<String> ids = query.texts("InstanceId");
    for (String id : ids) {
      if (!id.matches("i-[0-9a-f]{8,17}")) {
        return Ec2Answer.refused(
            400, "InvalidInstanceID.Malformed", "Invalid id: \"%s\"".formatted(id));
      }
      if (!instances.containsKey(id) || !instances.get(id).listed(now())) {
        return Ec2Answer.refused(
            400, "InvalidInstanceID.NotFound", "The instance ID '%s' does not exist".formatted(id));
      }
    }
    Optional<String> keeps = ids.stream().filter(kept::containsKey).findFirst();
    if (keeps.isPresent()) {
      Ec2Answer refusal = kept.get(keeps.get());
      String zone = instances.get(keeps.get()).pool().subnet();
      ids.stream()
          .filter(id -> refusal.status() == 400)
          .filter(id -> !instances.get(id).pool().subnet().equals(zone))
          .filter(id -> !kept.containsKey(id))
          .forEach(this::end);
      return refusal;
    }
    ids.forEach(this::end);
    Xml out = new Xml();
    out.in(
        "instancesSet", () -> ids.forEach(id -> out.in("item", () -> out.put("instanceId", id))));
    return Ec2Answer.ok("TerminateInstances", out);
  }
}
