package io.cloudkon.core.aws;

import io.cloudkon.core.port.FinishedTasks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The counts of a worker's finished tasks by run, as one attribute; an older worker has none. */
final class FinishedItems {
  private FinishedItems() {}

  /** By run its tasks, how many of them failed, and the rate: short, as it is written so often. */
  static AttributeValue encode(Map<String, FinishedTasks> byRun) {
    Map<String, AttributeValue> map = new HashMap<>();
    byRun.forEach((run, finished) ->
        map.put(
            run,
            AttributeValue.fromL(
                List.of(
                    Items.of(finished.tasks()),
                    Items.of(finished.failed()),
                    Items.of(finished.perSecond())))));
    return AttributeValue.fromM(map);
  }

  static Map<String, FinishedTasks> decode(@Nullable AttributeValue value) {
    Map<String, FinishedTasks> byRun = new HashMap<>();
    if (value != null && value.hasM()) {
      value
          .m()
          .forEach((run, numbers) -> {
            List<AttributeValue> all = numbers.l();
            byRun.put(
                run,
                new FinishedTasks(
                    Long.parseLong(all.get(0).n()),
                    Long.parseLong(all.get(1).n()),
                    Double.parseDouble(all.get(2).n())));
          });
    }
    return byRun;
  }
}
