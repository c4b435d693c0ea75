package io.cloudkon.core.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  private static final List<List<String>> RUN = new ArrayList<>();

  /** A program that fails by its first argument. */
  public static final class Program {
    private Program() {}

    public static int run(String... args) {
      RUN.add(List.of(args));
      return args[0].equals("fail") ? 3 : 0;
    }
  }

  @BeforeEach
  void forget() {
    RUN.clear();
  }

  @Test
  void commands_are_run_one_after_the_other_with_their_own_arguments() throws Exception {
    int code = Rehearsal.run(Program.class.getName(), "a", "--", "b", "--then", "c");

    assertThat(code).isZero();
    assertThat(RUN).containsExactly(List.of("a", "--", "b"), List.of("c"));
  }

  @Test
  void command_that_fails_ends_it_with_its_exit_code() throws Exception {
    int code = Rehearsal.run(Program.class.getName(), "fail", "--then", "c");

    assertThat(code).isEqualTo(3);
    assertThat(RUN).containsExactly(List.of("fail"));
  }

  @Test
  void class_without_such_a_method_is_refused() {
    assertThatThrownBy(() -> Rehearsal.run(RehearsalTest.class.getName(), "a"))
        .isInstanceOf(NoSuchMethodException.class);
  }
}
