package io.cloudkon.core.aws;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.RemainingWork;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A run's remaining work as one attribute; an entry of an older client has none. */
final class RemainingItems {
  private static final String PRIORITY = "priority";

  /** Present only if the counts are not valid yet. */
  private static final String UNCOUNTED = "uncounted";

  private RemainingItems() {}

  static AttributeValue encode(RemainingWork remaining) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("bundles", Items.of(remaining.bundles()));
    map.put("taskMicros", Items.of(remaining.taskMicros()));
    map.put("jobs", Items.of(remaining.jobs()));
    map.put("widestJob", Items.of(remaining.widestJob()));
    map.put("kinds", Items.of(TakesItems.text(remaining.kinds())));
    remaining.priority().ifPresent(priority -> map.put(PRIORITY, Items.of(priority.label())));
    if (!remaining.counted()) {
      map.put(UNCOUNTED, Items.of(1L));
    }
    return AttributeValue.fromM(map);
  }

  static RemainingWork decode(@Nullable AttributeValue value) {
    if (value == null || !value.hasM()) {
      return RemainingWork.UNKNOWN;
    }
    Map<String, AttributeValue> map = value.m();
    return new RemainingWork(
        Items.number(map, "bundles"),
        Items.real(map, "taskMicros"),
        Items.number(map, "jobs"),
        (int) Items.number(map, "widestJob"),
        TakesItems.kinds(Items.text(map, "kinds")),
        Arrays.stream(Priority.values())
            .filter(priority -> priority.label().equals(Items.text(map, PRIORITY)))
            .findFirst(),
        !map.containsKey(UNCOUNTED));
  }
}
