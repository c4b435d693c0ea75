package io.cloudkon.client.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuplicateIdsTest {
  private static DuplicateIds.@Nullable Repeat find(List<String> ids, int inMemory) {
    DuplicateIds.Lookup lookup = offset -> ids.get((int) offset);
    try (DuplicateIds duplicates = new DuplicateIds(inMemory, lookup)) {
      return find(ids, duplicates);
    }
  }

  private static DuplicateIds.@Nullable Repeat find(List<String> ids, DuplicateIds duplicates) {
    for (int i = 0; i < ids.size(); i++) {
      DuplicateIds.Repeat repeat = duplicates.add(ids.get(i), i);
      if (repeat != null) {
        return repeat;
      }
    }
    return duplicates.finish();
  }

  private static List<String> distinct(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add("task-" + i);
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 999, 1000, 1001, 100_000})
  void distinct_ids_repeat_nothing(int inMemory) {
    assertThat(find(distinct(1000), inMemory)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 999, 1000, 1001, 100_000})
  void repeated_id_is_found_however_few_fit_in_memory(int inMemory) {
    Random random = new Random(inMemory);
    for (int round = 0; round < 50; round++) {
      List<String> ids = distinct(1000);
      int first = random.nextInt(999);
      int second = first + 1 + random.nextInt(999 - first);
      ids.set(second, ids.get(first));
      assertThat(find(ids, inMemory)).isEqualTo(new DuplicateIds.Repeat(first, second));
    }
  }

  @Test
  void repetitions_across_tables_are_answered_by_the_earliest_second_line() {
    List<String> ids = distinct(1000);
    for (int i = 600; i < 1000; i++) {
      ids.set(i, ids.get(i - 600));
    }
    assertThat(find(ids, 100)).isEqualTo(new DuplicateIds.Repeat(0, 600));
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 10_000})
  void equal_hashes_of_different_ids_are_told_apart(int inMemory) {
    ToLongFunction<String> poor = id -> id.hashCode() % 3;
    List<String> ids = distinct(300);
    DuplicateIds.Lookup lookup = offset -> ids.get((int) offset);
    try (DuplicateIds duplicates = new DuplicateIds(inMemory, lookup, poor)) {
      assertThat(find(ids, duplicates)).isNull();
    }
    ids.set(299, ids.get(17));
    try (DuplicateIds duplicates = new DuplicateIds(inMemory, lookup, poor)) {
      assertThat(find(ids, duplicates)).isEqualTo(new DuplicateIds.Repeat(17, 299));
    }
  }

  @Test
  void half_a_million_ids_with_the_default_memory_are_compared() {
    List<String> ids = distinct(500_000);
    int inMemory = WorkloadLimits.DEFAULT.idsInMemory();
    assertThat(find(ids, inMemory)).isNull();
    ids.set(499_999, ids.get(3));
    assertThat(find(ids, inMemory)).isEqualTo(new DuplicateIds.Repeat(3, 499_999));
  }
}
