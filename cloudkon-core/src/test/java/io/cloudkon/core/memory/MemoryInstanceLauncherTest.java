package io.cloudkon.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.contract.InstanceLauncherContract;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class MemoryInstanceLauncherTest extends InstanceLauncherContract {
  private final ManualTime time = new ManualTime();
  private final MemoryInstanceLauncher launcher = new MemoryInstanceLauncher(time);

  @Override
  protected Fixture newFixture() {
    return new Fixture() {
      @Override
      public InstanceLauncher launcher() {
        return launcher;
      }

      @Override
      public InstanceLauncher successor() {
        return launcher;
      }

      @Override
      public int starts() {
        return launcher.launched();
      }

      @Override
      public void room(int most) {
        launcher.room(most);
      }

      @Override
      public void await(BooleanSupplier condition) {
        assertThat(condition.getAsBoolean()).isTrue();
      }

      @Override
      public void settle(Duration by) {
        time.advance(by);
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void refusal_is_told_once_and_kept_for_its_token() {
    launcher.refuse(new Failure(Failure.Kind.QUOTA, "limit", "ask for more"));

    assertThat(launcher.launch("a", 1, launcher.request()).failures())
        .extracting(Failure::kind)
        .containsExactly(Failure.Kind.QUOTA);
    assertThat(launcher.launch("a", 1, launcher.request()).instances()).isEmpty();
    assertThat(launcher.launch("b", 1, launcher.request()).instances()).hasSize(1);
  }

  @Test
  void lost_answer_has_happened_all_the_same() {
    launcher.loseAnswers(1);

    assertThatThrownBy(() -> launcher.launch("a", 1, launcher.request()))
        .isInstanceOf(TransientServiceException.class);

    assertThat(launcher.existing()).isEqualTo(1);
    assertThat(launcher.launch("a", 1, launcher.request()).instances()).hasSize(1);
    assertThat(launcher.launched()).isEqualTo(1);
  }

  @Test
  void slow_boot_and_slow_list_pass_with_time() {
    launcher.bootTime(Duration.ofSeconds(30));
    launcher.listDelay(Duration.ofSeconds(10));
    assertThat(launcher.launch("a", 1, launcher.request()).instances()).hasSize(1);

    assertThat(launcher.instances()).isEmpty();
    time.advance(Duration.ofSeconds(10));
    assertThat(launcher.instances())
        .extracting(LaunchedInstance::state)
        .containsOnly(State.PENDING);
    time.advance(Duration.ofSeconds(20));
    assertThat(launcher.instances())
        .extracting(LaunchedInstance::state)
        .containsOnly(State.RUNNING);
  }

  @Test
  void instance_that_ends_by_itself_makes_room() {
    launcher.room(1);
    String first = launcher.launch("a", 1, launcher.request()).instances().getFirst().id();

    launcher.end(first);

    assertThat(launcher.launch("b", 1, launcher.request()).instances()).hasSize(1);
  }
}
