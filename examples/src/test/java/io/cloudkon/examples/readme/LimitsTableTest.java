package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Limits;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of limits in docs/reference.md has every limit of the code, with its value. */
class LimitsTableTest {
  private static final long KIB = 1024;
  private static final List<String> UNITS = List.of("bytes", "KiB", "MiB", "GiB");

  @Test
  void table_has_every_limit_with_its_value() {
    Map<String, String> said =
        Documents.table(Documents.read(Documents.REFERENCE), "## Limits").stream()
            .collect(
                Collectors.toMap(
                    row -> row.get(2).replace("`", ""),
                    row -> row.get(1),
                    (a, b) -> a + " and " + b,
                    TreeMap::new));

    assertThat(said).as("name and value in docs/reference.md").isEqualTo(limits());
  }

  private static Map<String, String> limits() {
    return Arrays.stream(Limits.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .collect(
            Collectors.toMap(Field::getName, LimitsTableTest::inWords, (a, b) -> a, TreeMap::new));
  }

  private static String inWords(Field limit) {
    long value = value(limit);
    if (!limit.getName().endsWith("_BYTES")) {
      return String.format(Locale.ROOT, "%,d", value);
    }
    int unit = 0;
    while (value >= KIB && value % KIB == 0 && unit < UNITS.size() - 1) {
      value /= KIB;
      unit++;
    }
    return String.format(Locale.ROOT, "%,d %s", value, UNITS.get(unit));
  }

  private static long value(Field limit) {
    try {
      return ((Number) limit.get(null)).longValue();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
