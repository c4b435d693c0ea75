package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import io.cloudkon.core.port.WorkerTakes;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DecisionItemsTest {
  private static ProvisionerEntry entry(int reachable) {
    return new ProvisionerEntry(
        "p",
        "host",
        500,
        new ProvisionerEntry.Settings("process", 1, 3, 2, WorkerTakes.ALL),
        1,
        1,
        new Fleet(1, 1, 0, 0, "why", Map.of(), 0, 0, reachable),
        400);
  }

  private static Map<String, AttributeValue> item(ProvisionerEntry entry) {
    Map<String, AttributeValue> item = new HashMap<>(DecisionItems.encode(entry));
    item.put(DecisionItems.NEXT, Items.of(entry.nextDecision()));
    return item;
  }

  @Test
  void slots_that_jobs_can_get_are_read_again() {
    ProvisionerEntry read = DecisionItems.provisioner(item(entry(20)));

    assertThat(read).isEqualTo(entry(20));
    assertThat(read.mostSlots()).isEqualTo(20);
  }

  @Test
  void entry_of_an_older_provisioner_can_have_max_times_its_slots() {
    Map<String, AttributeValue> item = item(entry(20));
    Map<String, AttributeValue> fleet = new HashMap<>(item.get("fleet").m());
    fleet.remove("reachable");
    item.put("fleet", AttributeValue.fromM(fleet));
    ProvisionerEntry read = DecisionItems.provisioner(item);

    assertThat(read).isEqualTo(entry(Fleet.UNKNOWN));
    assertThat(read.mostSlots()).isEqualTo(6);
    assertThat(item(read).get("fleet").m()).doesNotContainKey("reachable");
  }
}
