package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildCollectorTest {
  @ParameterizedTest
  @ValueSource(strings = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
  void collector_that_a_child_inherits_is_the_only_one(String variable) {
    assertThat(ChildCollector.options(Map.of(variable, "-Xmx1g -XX:+UseG1GC"))).isEmpty();
    assertThat(ChildCollector.options(Map.of(variable, "-Xmx1g -XX:+UseStringDeduplication")))
        .containsExactly("-XX:+UseSerialGC");
  }

  @Test
  void children_have_the_smallest_collector_by_default() {
    assertThat(ChildCollector.options(Map.of("JAVA_OPTS", "-XX:+UseG1GC")))
        .as("only the launcher reads it")
        .containsExactly("-XX:+UseSerialGC");
  }
}
