package io.cloudkon.core.protocol.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A life cycle: which trigger leads from which state to which. Undeclared transitions are refused,
 * so that a machine that follows its table cannot leave it. Immutable.
 *
 * @param <S> the states
 * @param <T> the triggers
 */
public final class TransitionTable<S extends Enum<S>, T extends Enum<T>> {

  /** One row. */
  public record Row<S, T>(S from, T trigger, S to) {}

  private final String name;
  private final S start;
  private final Class<S> states;
  private final Class<T> triggers;
  private final List<Row<S, T>> rows;
  private final Map<S, Map<T, S>> byState;

  private TransitionTable(Builder<S, T> builder) {
    name = builder.name;
    start = builder.start;
    states = builder.states;
    triggers = builder.triggers;
    rows = List.copyOf(builder.rows);
    byState = new EnumMap<>(states);
    for (Row<S, T> row : rows) {
      S before =
          byState
              .computeIfAbsent(row.from(), s -> new EnumMap<>(triggers))
              .put(row.trigger(), row.to());
      if (before != null) {
        throw new IllegalArgumentException(
            "%s declares %s in state %s twice".formatted(name, row.trigger(), row.from()));
      }
    }
  }

  /** Starts a table whose life cycle begins in the given state. */
  public static <S extends Enum<S>, T extends Enum<T>> Builder<S, T> of(
      String name, S start, Class<T> triggers) {
    return new Builder<>(name, start, triggers);
  }

  /**
   * The state to which the trigger leads.
   *
   * @throws IllegalTransitionException if the table does not declare it
   */
  public S next(S from, T trigger) {
    S to = find(from, trigger);
    if (to == null) {
      throw new IllegalTransitionException(name, from, trigger);
    }
    return to;
  }

  /** Whether the table declares the transition. */
  public boolean allows(S from, T trigger) {
    return find(from, trigger) != null;
  }

  private @Nullable S find(S from, T trigger) {
    Map<T, S> row = byState.get(from);
    return row == null ? null : row.get(trigger);
  }

  /** Whether no transition leads out of the state. */
  public boolean terminal(S state) {
    return !byState.containsKey(state);
  }

  public String name() {
    return name;
  }

  public S start() {
    return start;
  }

  public List<Row<S, T>> rows() {
    return rows;
  }

  public Class<S> states() {
    return states;
  }

  public Class<T> triggers() {
    return triggers;
  }

  /** Collects rows. */
  public static final class Builder<S extends Enum<S>, T extends Enum<T>> {
    private final String name;
    private final S start;
    private final Class<S> states;
    private final Class<T> triggers;
    private final List<Row<S, T>> rows = new ArrayList<>();

    private Builder(String name, S start, Class<T> triggers) {
      this.name = name;
      this.start = start;
      this.states = start.getDeclaringClass();
      this.triggers = triggers;
    }

    /** Adds a transition. */
    public Builder<S, T> row(S from, T trigger, S to) {
      rows.add(new Row<>(from, trigger, to));
      return this;
    }

    public TransitionTable<S, T> build() {
      return new TransitionTable<>(this);
    }
  }
}
