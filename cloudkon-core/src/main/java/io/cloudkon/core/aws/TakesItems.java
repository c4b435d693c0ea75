package io.cloudkon.core.aws;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A worker's kinds and roles as one attribute; a worker of an older version has none and takes
 * everything.
 */
final class TakesItems {
  private TakesItems() {}

  static AttributeValue encode(WorkerTakes takes) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("kinds", Items.of(text(takes.kinds())));
    map.put("tasks", AttributeValue.fromBool(takes.tasks()));
    map.put("jobs", AttributeValue.fromBool(takes.jobs()));
    return AttributeValue.fromM(map);
  }

  static WorkerTakes decode(@Nullable AttributeValue value) {
    return value == null || !value.hasM()
        ? WorkerTakes.ALL
        : new WorkerTakes(
            kinds(Items.text(value.m(), "kinds")),
            Items.flag(value.m(), "tasks"),
            Items.flag(value.m(), "jobs"));
  }

  static String text(Set<Work.Kind> kinds) {
    return kinds.stream().sorted().map(Work.Kind::name).collect(Collectors.joining(","));
  }

  static Set<Work.Kind> kinds(String text) {
    return text.isEmpty()
        ? Set.of()
        : Arrays.stream(text.split(","))
            .map(Work.Kind::valueOf)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Work.Kind.class)));
  }
}
