package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;

class InstanceTypesTest {
  private final InstanceTypes types = InstanceTypes.list();

  @Test
  void list_says_when_and_where_its_prices_hold() {
    assertThat(types.asOf()).matches("20\\d\\d-\\d\\d-\\d\\d");
    assertThat(types.region()).isEqualTo("us-east-1");
    assertThat(types.types())
        .containsOnlyKeys(
            "t3.micro", "t3.medium", "c7i.large", "c7i.xlarge", "c7i.4xlarge", "m7i.large");
    assertThat(types.types().values()).allMatch(type -> type.usdPerHour() > 0 && type.slots() > 0);
  }

  @Test
  void slots_are_the_vcpus_and_both_may_be_given() {
    assertThat(types.choose("c7i.xlarge", null, null))
        .isEqualTo(new InstanceType("c7i.xlarge", 0.1785, 4));
    assertThat(types.choose("c7i.xlarge", 0.05, 8))
        .isEqualTo(new InstanceType("c7i.xlarge", 0.05, 8));
    assertThat(types.choose("c99.huge", 9.0, 999)).isEqualTo(new InstanceType("c99.huge", 9, 999));
  }

  @Test
  void unknown_type_is_refused_with_those_that_are_known() {
    assertThatThrownBy(() -> types.choose("c99.huge", 9.0, null))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("c7i.large, c7i.xlarge")
        .hasMessageContaining("--hourly and --slots");
  }
}
