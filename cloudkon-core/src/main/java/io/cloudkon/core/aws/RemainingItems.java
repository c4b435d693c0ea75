package io.cloudkon.core.aws;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.SlotTimes;
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

  /** One average over tasks and jobs, which older provisioners and {@code status} read. */
  private static final String MEAN_MICROS = "taskMicros";

  /** Absent from the entries of older clients. */
  private static final String TASK_MICROS = "taskOnlyMicros";

  /** Absent from the entries of older clients. */
  private static final String JOB_MICROS = "jobMicros";

  private static final String JOBS = "jobs";

  private RemainingItems() {}

  /**
   * Encodes remaining work.
   *
   * @param unfinished the number of the run's tasks and jobs without a result
   */
  static AttributeValue encode(RemainingWork remaining, long unfinished) {
    Map<String, AttributeValue> map = new HashMap<>();
    map.put("bundles", Items.of(remaining.bundles()));
    map.put(MEAN_MICROS, Items.of(mean(remaining, unfinished)));
    map.put(TASK_MICROS, Items.of(remaining.times().taskMicros()));
    map.put(JOB_MICROS, Items.of(remaining.times().jobMicros()));
    map.put(JOBS, Items.of(remaining.jobs()));
    map.put("widestJob", Items.of(remaining.widestJob()));
    map.put("kinds", Items.of(TakesItems.text(remaining.kinds())));
    remaining.priority().ifPresent(priority -> map.put(PRIORITY, Items.of(priority.label())));
    if (!remaining.counted()) {
      map.put(UNCOUNTED, Items.of(1L));
    }
    return AttributeValue.fromM(map);
  }

  /** The mean of what is left; that of a task while it is not known for all of it. */
  private static double mean(RemainingWork remaining, long unfinished) {
    double all = remaining.slotMicros(unfinished);
    return all > 0 ? all / unfinished : remaining.times().taskMicros();
  }

  static RemainingWork decode(@Nullable AttributeValue value) {
    if (value == null || !value.hasM()) {
      return RemainingWork.UNKNOWN;
    }
    Map<String, AttributeValue> map = value.m();
    return new RemainingWork(
        Items.number(map, "bundles"),
        times(map),
        Items.number(map, JOBS),
        (int) Items.number(map, "widestJob"),
        TakesItems.kinds(Items.text(map, "kinds")),
        Arrays.stream(Priority.values())
            .filter(priority -> priority.label().equals(Items.text(map, PRIORITY)))
            .findFirst(),
        !map.containsKey(UNCOUNTED));
  }

  /**
   * An older client has one average over tasks and jobs, which says nothing about a task of a run
   * with jobs; one of an earlier checkout has that of tasks under the same name.
   */
  private static SlotTimes times(Map<String, AttributeValue> map) {
    double micros = Items.real(map, map.containsKey(TASK_MICROS) ? TASK_MICROS : MEAN_MICROS);
    if (map.containsKey(JOB_MICROS)) {
      return new SlotTimes(micros, Items.real(map, JOB_MICROS));
    }
    return Items.number(map, JOBS) > 0 ? new SlotTimes(0, micros) : new SlotTimes(micros, 0);
  }
}
