package io.cloudkon.core.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceTypesTest {
  private final InstanceTypes types = InstanceTypes.list();

  @Test
  void list_says_when_and_where_its_prices_hold() {
    assertThat(types.asOf()).matches("20\\d\\d-\\d\\d-\\d\\d");
    assertThat(types.region()).isEqualTo("us-east-1");
    assertThat(types.types())
        .containsOnlyKeys(
            "t3.micro",
            "t3.medium",
            "c6i.large",
            "c7i.large",
            "c7i.xlarge",
            "c7i.4xlarge",
            "m6i.large",
            "m7i.large");
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

  @Test
  void process_is_known_and_costs_nothing_and_what_nobody_knows_has_no_price() {
    assertThat(types.usdPerHour("process")).hasValue(0);
    assertThat(types.usdPerHour("c7i.large")).hasValue(0.08925);
    assertThat(types.usdPerHour("c99.huge")).isEmpty();
    assertThat(types.usdPerHour("")).isEmpty();
  }

  @Test
  void price_that_a_user_pays_replaces_that_of_the_list() {
    InstanceTypes mine = types.priced("c7i.large=0.031").priced("process=0.01");

    assertThat(mine.usdPerHour("c7i.large")).hasValue(0.031);
    assertThat(mine.usdPerHour("process")).hasValue(0.01);
    assertThat(mine.usdPerHour("m7i.large")).isEqualTo(types.usdPerHour("m7i.large"));
  }

  @Test
  void price_for_an_unknown_type_is_refused_with_those_that_are_known() {
    assertThatThrownBy(() -> types.priced("c99.huge=1"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--price c99.huge=1: type 'c99.huge' is not known; expected c6i.large, c7i.4xlarge,"
                + " c7i.large, c7i.xlarge, m6i.large, m7i.large, process, t3.medium, t3.micro");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c7i.large", "c7i.large=", "c7i.large=-1", "=", "c7i.large=NaN"})
  void price_that_is_written_otherwise_is_refused(String given) {
    assertThatThrownBy(() -> types.priced(given))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("expected TYPE=USD");
  }
}
