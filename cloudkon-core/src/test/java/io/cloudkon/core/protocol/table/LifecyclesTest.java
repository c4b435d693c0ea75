package io.cloudkon.core.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.table.Lifecycles.Lifecycle;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every life cycle, over every state and every trigger. */
class LifecyclesTest {

  static List<Lifecycle> lifecycles() {
    return Lifecycles.all();
  }

  @ParameterizedTest
  @MethodSource("lifecycles")
  void trigger_is_taken_where_declared_and_refused_everywhere_else(Lifecycle lifecycle) {
    everyPair(lifecycle.table());
  }

  private static <S extends Enum<S>, T extends Enum<T>> void everyPair(
      TransitionTable<S, T> table) {
    Map<List<Enum<?>>, S> declared = new LinkedHashMap<>();
    table.rows().forEach(row -> declared.put(List.of(row.from(), row.trigger()), row.to()));
    int taken = 0;
    for (S state : table.states().getEnumConstants()) {
      for (T trigger : table.triggers().getEnumConstants()) {
        S to = declared.get(List.<Enum<?>>of(state, trigger));
        assertThat(table.allows(state, trigger)).isEqualTo(to != null);
        if (to != null) {
          assertThat(table.next(state, trigger)).isEqualTo(to);
          taken++;
        } else {
          assertThatThrownBy(() -> table.next(state, trigger))
              .isInstanceOf(IllegalTransitionException.class)
              .hasMessageContainingAll(table.name(), state.name(), trigger.name());
        }
      }
    }
    assertThat(taken).isEqualTo(table.rows().size());
  }

  @ParameterizedTest
  @MethodSource("lifecycles")
  void every_state_can_be_reached_and_every_trigger_is_used(Lifecycle lifecycle) {
    reachable(lifecycle.table());
  }

  private static <S extends Enum<S>, T extends Enum<T>> void reachable(
      TransitionTable<S, T> table) {
    assertThat(from(table, table.start())).isEqualTo(EnumSet.allOf(table.states()));
    assertThat(table.rows().stream().map(TransitionTable.Row::trigger).distinct())
        .containsExactlyInAnyOrder(table.triggers().getEnumConstants());
  }

  @ParameterizedTest
  @MethodSource("lifecycles")
  void life_ends_in_the_known_states_only_and_can_end_from_everywhere(Lifecycle lifecycle) {
    ends(lifecycle.table(), lifecycle.ends());
  }

  private static <S extends Enum<S>, T extends Enum<T>> void ends(
      TransitionTable<S, T> table, Set<? extends Enum<?>> ends) {
    List<S> terminal =
        Arrays.stream(table.states().getEnumConstants()).filter(table::terminal).toList();
    assertThat(Set.<Enum<?>>copyOf(terminal)).isEqualTo(ends);
    for (S state : table.states().getEnumConstants()) {
      assertThat(ends.isEmpty() || from(table, state).stream().anyMatch(table::terminal))
          .as("a way out of %s", state)
          .isTrue();
    }
  }

  private static <S extends Enum<S>, T extends Enum<T>> Set<S> from(
      TransitionTable<S, T> table, S start) {
    Set<S> seen = EnumSet.of(start);
    Deque<S> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      S state = open.remove();
      table.rows().stream()
          .filter(row -> row.from() == state)
          .map(TransitionTable.Row::to)
          .filter(seen::add)
          .forEach(open::add);
    }
    return seen;
  }
}
