package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatestCallsTest {
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<String> made = new ArrayList<>();
  private final LatestCalls calls = new LatestCalls(threads::add);

  @Test
  void call_that_waits_is_replaced_and_keeps_its_turn() {
    calls.call(
        "a",
        () -> {
          made.add("a1");
          calls.call("b", () -> made.add("b1"));
          calls.call("c", () -> made.add("c1"));
          calls.call("b", () -> made.add("b2"));
        });

    threads.remove().run();

    assertThat(made).containsExactly("a1", "b2", "c1");
    assertThat(threads).as("one at a time").isEmpty();
  }

  @Test
  void call_under_way_is_followed_by_a_later_one_under_its_key() {
    calls.call(
        "a",
        () -> {
          made.add("put");
          calls.call("a", () -> made.add("remove"));
        });
    threads.remove().run();
    calls.call("a", () -> made.add("put again"));
    threads.remove().run();

    assertThat(made).containsExactly("put", "remove", "put again");
  }
}
