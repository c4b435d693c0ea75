package io.cloudkon.core.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TransitionTableTest {
  private enum Door {
    OPEN,
    CLOSED,
    WALLED_UP
  }

  private enum Act {
    PUSH,
    PULL,
    BRICK
  }

  private static final TransitionTable<Door, Act> DOOR =
      TransitionTable.of("door", Door.OPEN, Act.class)
          .row(Door.OPEN, Act.PUSH, Door.CLOSED)
          .row(Door.CLOSED, Act.PULL, Door.OPEN)
          .row(Door.CLOSED, Act.PUSH, Door.CLOSED)
          .row(Door.CLOSED, Act.BRICK, Door.WALLED_UP)
          .build();

  @Test
  void declared_transition_is_taken() {
    assertThat(DOOR.next(Door.OPEN, Act.PUSH)).isEqualTo(Door.CLOSED);
    assertThat(DOOR.allows(Door.OPEN, Act.PUSH)).isTrue();
  }

  @Test
  void undeclared_transition_is_refused_and_says_which() {
    assertThat(DOOR.allows(Door.OPEN, Act.PULL)).isFalse();
    assertThatThrownBy(() -> DOOR.next(Door.OPEN, Act.PULL))
        .isInstanceOf(IllegalTransitionException.class)
        .hasMessage("door: PULL is not allowed in state OPEN");
  }

  @Test
  void state_without_rows_is_terminal() {
    assertThat(DOOR.terminal(Door.WALLED_UP)).isTrue();
    assertThat(DOOR.terminal(Door.CLOSED)).isFalse();
    assertThatThrownBy(() -> DOOR.next(Door.WALLED_UP, Act.PULL))
        .isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void transition_declared_twice_is_refused() {
    var builder =
        TransitionTable.of("door", Door.OPEN, Act.class)
            .row(Door.OPEN, Act.PUSH, Door.CLOSED)
            .row(Door.OPEN, Act.PUSH, Door.OPEN);
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("door declares PUSH in state OPEN twice");
  }

  @Test
  void table_that_was_built_does_not_change_with_its_builder() {
    var builder =
        TransitionTable.of("door", Door.OPEN, Act.class).row(Door.OPEN, Act.PUSH, Door.CLOSED);
    TransitionTable<Door, Act> table = builder.build();
    var unused = builder.row(Door.CLOSED, Act.PULL, Door.OPEN);
    assertThat(table.rows()).hasSize(1);
    assertThat(table.allows(Door.CLOSED, Act.PULL)).isFalse();
  }

  @Test
  void table_tells_name_start_states_and_triggers() {
    assertThat(DOOR.name()).isEqualTo("door");
    assertThat(DOOR.start()).isEqualTo(Door.OPEN);
    assertThat(DOOR.states()).isEqualTo(Door.class);
    assertThat(DOOR.triggers()).isEqualTo(Act.class);
  }

  @Test
  void diagram_joins_the_triggers_of_one_arrow_and_ends_where_nothing_leads_out() {
    TransitionTable<Door, Act> table =
        TransitionTable.of("door", Door.OPEN, Act.class)
            .row(Door.OPEN, Act.PUSH, Door.CLOSED)
            .row(Door.OPEN, Act.PULL, Door.CLOSED)
            .row(Door.CLOSED, Act.BRICK, Door.WALLED_UP)
            .build();
    assertThat(Diagram.mermaid(table))
        .isEqualTo(
            """
            stateDiagram-v2
                [*] --> OPEN
                OPEN --> CLOSED : push, pull
                CLOSED --> WALLED_UP : brick
                WALLED_UP --> [*]
            """);
  }
}
