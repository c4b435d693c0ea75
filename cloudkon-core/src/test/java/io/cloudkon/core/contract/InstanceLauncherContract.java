package io.cloudkon.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every {@link InstanceLauncher} does. */
@Tag("contract")
public abstract class InstanceLauncherContract {
  /** The longest token that is allowed. */
  private static final String LONG_TOKEN = "T-1-" + "a".repeat(60);

  private @Nullable Fixture current;

  /** A place to launch in, for one test. */
  public interface Fixture extends AutoCloseable {
    /** A launcher; the same one each time. */
    InstanceLauncher launcher();

    /** Another launcher of the same place, as a later provisioner has it. */
    InstanceLauncher successor();

    /** How many instances have really started so far. */
    int starts();

    /** From now on only so many can be granted in all. */
    void room(int most);

    /** Lets time pass until this is so. */
    void await(java.util.function.BooleanSupplier condition);

    /** Lets this much time pass, or as much as shows what it would. */
    void settle(Duration time);

    @Override
    void close();
  }

  /** A fresh place; closed after the test. */
  protected abstract Fixture newFixture() throws Exception;

  @BeforeEach
  void openFixture() throws Exception {
    current = newFixture();
  }

  @AfterEach
  void closeFixture() {
    fixture().close();
  }

  private Fixture fixture() {
    return Objects.requireNonNull(current);
  }

  private InstanceLauncher launcher() {
    return fixture().launcher();
  }

  private static Launch launch(InstanceLauncher launcher, String token, int count) {
    return launcher.launch(token, count, launcher.request());
  }

  private static List<String> ids(List<LaunchedInstance> instances) {
    return instances.stream().map(LaunchedInstance::id).toList();
  }

  private List<State> states() {
    return launcher().instances().stream().map(LaunchedInstance::state).toList();
  }

  private void awaitStarts(int number) {
    fixture().await(() -> fixture().starts() >= number);
  }

  @Test
  void launch_grants_what_was_asked_for_under_its_token() {
    Launch launch = launch(launcher(), LONG_TOKEN, 2);

    assertThat(launch.failures()).isEmpty();
    assertThat(launch.instances()).hasSize(2).allMatch(LaunchedInstance::exists);
    assertThat(launch.instances()).extracting(LaunchedInstance::launch).containsOnly(LONG_TOKEN);
    assertThat(ids(launch.instances())).doesNotHaveDuplicates();
    awaitStarts(2);
  }

  @Test
  void launch_again_under_its_token_gives_the_same_and_starts_nothing() {
    Launch first = launch(launcher(), "T-1", 2);
    awaitStarts(2);

    Launch second = launch(launcher(), "T-1", 2);
    fixture().settle(Duration.ofSeconds(1));

    assertThat(ids(second.instances())).isEqualTo(ids(first.instances()));
    assertThat(fixture().starts()).isEqualTo(2);
  }

  @Test
  void launch_again_by_a_successor_gives_the_same_and_starts_nothing() {
    Map<String, String> request = launcher().request();
    Launch first = launcher().launch("T-1", 2, request);

    Launch second = fixture().successor().launch("T-1", 2, request);
    awaitStarts(2);
    fixture().settle(Duration.ofSeconds(1));

    assertThat(ids(second.instances())).isEqualTo(ids(first.instances()));
    assertThat(fixture().starts()).isEqualTo(2);
  }

  @Test
  void launch_again_after_its_instances_ended_starts_nothing() {
    Launch first = launch(launcher(), "T-1", 1);
    awaitStarts(1);
    launcher().terminate(ids(first.instances()));
    fixture().await(() -> states().equals(List.of(State.ENDED)));

    Launch second = launch(launcher(), "T-1", 1);
    fixture().settle(Duration.ofSeconds(1));

    assertThat(ids(second.instances())).isEqualTo(ids(first.instances()));
    assertThat(fixture().starts()).isEqualTo(1);
  }

  @Test
  void launches_of_two_tokens_have_instances_of_their_own() {
    Launch first = launch(launcher(), "T-1", 1);
    Launch second = launch(launcher(), "T-2", 1);

    assertThat(ids(first.instances())).doesNotContainAnyElementsOf(ids(second.instances()));
    assertThat(launcher().instances())
        .extracting(LaunchedInstance::launch)
        .containsExactlyInAnyOrder("T-1", "T-2");
    awaitStarts(2);
  }

  @Test
  void token_with_another_request_is_refused_as_configuration() {
    Launch first = launch(launcher(), "T-1", 1);
    Map<String, String> other = new HashMap<>(launcher().request());
    other.put("more", "of it");

    assertThat(launcher().launch("T-1", 1, other).failures())
        .extracting(Failure::kind)
        .containsExactly(Failure.Kind.CONFIGURATION);
    assertThat(launch(launcher(), "T-1", 2).failures())
        .extracting(Failure::kind)
        .containsExactly(Failure.Kind.CONFIGURATION);
    awaitStarts(1);
    assertThat(ids(launcher().instances())).isEqualTo(ids(first.instances()));
  }

  @Test
  void launch_that_finds_room_for_some_grants_these_and_says_what_was_short() {
    fixture().room(1);

    Map<String, String> request = launcher().request();
    Launch launch = launcher().launch("T-1", 3, request);

    assertThat(launch.instances()).hasSize(1);
    assertThat(launch.failures()).isNotEmpty();
    assertThat(launch.failures()).extracting(Failure::kind).containsOnly(Failure.Kind.CAPACITY);
    fixture().room(3);
    Launch again = launcher().launch("T-1", 3, request);
    fixture().settle(Duration.ofSeconds(1));
    assertThat(ids(again.instances())).isEqualTo(ids(launch.instances()));
    assertThat(fixture().starts()).isEqualTo(1);
  }

  @Test
  void launch_asked_for_by_two_at_once_happens_once() throws Exception {
    Map<String, String> request = launcher().request();
    InstanceLauncher successor = fixture().successor();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Launch> one = threads.submit(() -> launcher().launch("T-1", 2, request));
      Future<Launch> other = threads.submit(() -> successor.launch("T-1", 2, request));

      assertThat(ids(one.get().instances())).isEqualTo(ids(other.get().instances())).hasSize(2);
    }
    awaitStarts(2);
    fixture().settle(Duration.ofSeconds(1));
    assertThat(fixture().starts()).isEqualTo(2);
  }

  @Test
  void launched_instance_comes_to_run() {
    Launch launch = launch(launcher(), "T-1", 1);

    fixture().await(() -> states().equals(List.of(State.RUNNING)));

    assertThat(ids(launcher().instances())).isEqualTo(ids(launch.instances()));
  }

  @Test
  void terminate_ends_these_and_no_others() {
    List<String> first = ids(launch(launcher(), "T-1", 1).instances());
    List<String> second = ids(launch(launcher(), "T-2", 1).instances());
    awaitStarts(2);

    launcher().terminate(first);

    fixture()
        .await(() ->
            launcher().instances().stream()
                .allMatch(one -> first.contains(one.id()) == (one.state() == State.ENDED)));
    assertThat(
            launcher().instances().stream()
                .filter(LaunchedInstance::exists)
                .map(LaunchedInstance::id))
        .isEqualTo(second);
  }

  @Test
  void terminate_of_what_has_ended_or_is_unknown_is_no_failure() {
    List<String> ids = ids(launch(launcher(), "T-1", 1).instances());
    awaitStarts(1);
    launcher().terminate(ids);
    fixture().await(() -> states().equals(List.of(State.ENDED)));

    assertThatCode(() -> launcher().terminate(ids)).doesNotThrowAnyException();
    assertThatCode(() -> launcher().terminate(List.of("nobody"))).doesNotThrowAnyException();
  }

  @Test
  void successor_lists_and_ends_what_its_predecessor_launched() {
    List<String> ids = ids(launch(launcher(), "T-1", 2).instances());
    awaitStarts(2);

    InstanceLauncher successor = fixture().successor();

    fixture()
        .await(() -> successor.instances().stream().allMatch(one -> one.state() == State.RUNNING));
    assertThat(ids(successor.instances())).isEqualTo(ids);
    successor.terminate(ids);
    fixture()
        .await(() -> successor.instances().stream().allMatch(one -> one.state() == State.ENDED));
  }
}
