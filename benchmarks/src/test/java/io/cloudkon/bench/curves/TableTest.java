package io.cloudkon.bench.curves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table = new Table(List.of("instances", "tasks/s, today"));

  @Test
  void table_is_written_as_markdown_and_as_csv() {
    table.row(List.of("1,024", "none; in flight, once"));

    assertThat(table.markdown())
        .isEqualTo(
            "| instances | tasks/s, today |\n|---:|---:|\n| 1,024 | none; in flight, once |\n");
    assertThat(table.csv())
        .isEqualTo("instances,\"tasks/s, today\"\n1024,\"none; in flight, once\"\n");
  }

  @Test
  void row_of_another_width_is_refused() {
    assertThatThrownBy(() -> table.row(List.of("1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a row of 1 cells in a table of 2 columns");
  }
}
