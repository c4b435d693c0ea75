package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BundleTableTest {
  private final BundleTable table = new BundleTable();

  private void close(int sequence) {
    while (table.missing(sequence) > 1) {
      table.got(sequence);
    }
    table.got(sequence);
  }

  @Test
  void bundles_before_the_first_open_one_are_let_go() {
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(table.add(i, 1)).isEqualTo(i);
      if (i >= 100) {
        close(i - 100);
      }
    }

    assertThat(table.openCount()).isEqualTo(100);
    assertThat(table.room()).isLessThanOrEqualTo(1024);
    assertThat(table.has(999_899)).isFalse();
    assertThat(table.has(999_900)).isTrue();
    assertThat(table.bundleOf(999_999)).isEqualTo(999_999);
  }

  @Test
  void room_of_a_large_backlog_is_given_back() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(table.add(i, 1)).isEqualTo(i);
    }
    assertThat(table.room()).isGreaterThanOrEqualTo(100_000);
    for (int i = 0; i < 100_000; i++) {
      close(i);
    }
    for (int i = 100_000; i < 250_000; i++) {
      assertThat(table.add(i, 1)).isEqualTo(i);
      close(i);
    }

    assertThat(table.room()).isEqualTo(1024);
    assertThat(table.openCount()).isZero();
  }

  @Test
  void walk_visits_only_open_bundles_and_begins_again_after_the_last() {
    for (int i = 0; i < 10; i++) {
      assertThat(table.add(i, 1)).isEqualTo(i);
    }
    for (int closed : new int[] {0, 1, 2, 5, 9}) {
      close(closed);
    }

    assertThat(table.open()).containsExactly(3, 4, 6, 7, 8);
    assertThat(table.nextOpen(0)).isEqualTo(3);
    assertThat(table.nextOpen(5)).isEqualTo(6);
    assertThat(table.nextOpen(9)).isEqualTo(3);
    assertThat(table.add(10, 1)).isEqualTo(10);
    assertThat(table.nextOpen(9)).isEqualTo(10);
  }

  /** The answer to a send, and a failed read, may come after the results. */
  @Test
  void news_of_a_bundle_that_was_let_go_are_ignored() {
    assertThat(table.add(0, 2)).isZero();
    assertThat(table.add(2, 1)).isEqualTo(1);
    table.sent(1, 100, 600);
    close(0);

    table.sent(0, 900, 600);
    table.sentAt(0, 900);
    table.heard(0, 900, 600);

    assertThat(table.has(0)).isFalse();
    assertThat(table.sentAt(1)).isEqualTo(100);
    assertThat(table.tooQuiet(1, 699)).isFalse();
    assertThat(table.tooQuiet(1, 700)).isTrue();
  }

  /** Open bundles keep what is known of them, in whatever order others are closed. */
  @Test
  void open_bundles_keep_their_places() {
    Random random = new Random(7);
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    Deque<Integer> open = new ArrayDeque<>();
    int tasks = 0;
    for (int i = 0; i < 20_000; i++) {
      int count = 1 + random.nextInt(5);
      assertThat(table.add(tasks, count)).isEqualTo(i);
      table.sent(i, i, 600);
      expected.put(i, tasks);
      open.add(i);
      tasks += count;
      for (Iterator<Integer> next = open.iterator(); next.hasNext() && open.size() > 700; ) {
        int sequence = next.next();
        if (random.nextInt(4) == 0) {
          close(sequence);
          expected.remove(sequence);
          next.remove();
        }
      }
    }

    assertThat(table.openCount()).isEqualTo(expected.size());
    assertThat(table.open().boxed()).containsExactlyElementsOf(expected.keySet());
    expected.forEach((sequence, first) -> {
      int[] ordinals = table.tasks(sequence);
      assertThat(ordinals).startsWith(first);
      assertThat(table.sentAt(sequence)).isEqualTo(sequence);
      assertThat(table.bundleOf(ordinals[ordinals.length - 1])).isEqualTo(sequence);
      assertThat(table.missing(sequence)).isEqualTo(ordinals.length);
    });
  }
}
