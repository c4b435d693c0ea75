package io.cloudkon.provisioner.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.contract.InstanceLauncherContract;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLauncherTest extends InstanceLauncherContract {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<ProcessLauncher> launchers = new ArrayList<>();
  @TempDir private Path folder;

  /** Says that it has started, and ends with its input. */
  private String worker() {
    return "echo $CLOUDKON_INSTANCE >>%s; echo hello; exec cat".formatted(starts());
  }

  private Path starts() {
    return folder.resolve("starts");
  }

  private ProcessLauncher launcher(String command) throws IOException {
    ProcessLauncher launcher =
        new ProcessLauncher(
            folder.resolve("state"), folder.resolve("logs"), "here", command, new SystemTime());
    launchers.add(launcher);
    return launcher;
  }

  /** A process that has just been started still writes into the folder, which is removed next. */
  @AfterEach
  void awaitEnds() {
    for (ProcessLauncher launcher : launchers) {
      launcher.close();
      await().atMost(LIMIT).until(() -> launcher.living() == 0);
    }
  }

  @Override
  protected Fixture newFixture() throws IOException {
    return new ProcessFixture();
  }

  private final class ProcessFixture implements Fixture {
    private final WorkerShell shell = new WorkerShell();
    private int room = Integer.MAX_VALUE;
    private int started;
    private final ProcessLauncher first = withRoom();
    private final ProcessLauncher second = withRoom();

    private ProcessFixture() throws IOException {}

    private ProcessLauncher withRoom() {
      return new ProcessLauncher(
          folder.resolve("state"),
          folder.resolve("logs"),
          "here",
          worker(),
          new SystemTime(),
          (token, id, file, log, command) -> {
            if (started >= room) {
              throw new IOException("Resource temporarily unavailable");
            }
            started++;
            return shell.start(token, id, file, log, command);
          });
    }

    @Override
    public InstanceLauncher launcher() {
      return first;
    }

    @Override
    public InstanceLauncher successor() {
      return second;
    }

    @Override
    public int starts() {
      return lines(ProcessLauncherTest.this.starts()).size();
    }

    @Override
    public void room(int most) {
      room = most;
    }

    @Override
    public void await(BooleanSupplier condition) {
      org.awaitility.Awaitility.await().atMost(LIMIT).until(condition::getAsBoolean);
    }

    /** Whatever else was started has become a worker, or has ended, by then. */
    @Override
    public void settle(Duration time) {
      await(() ->
          first.instances().stream().noneMatch(one -> one.state() == State.PENDING)
              && second.instances().stream().noneMatch(one -> one.state() == State.PENDING));
    }

    @Override
    public void close() {
      first.close();
      second.close();
      await(() ->
          first.instances().stream().allMatch(one -> one.state() == State.ENDED)
              && first.living() + second.living() == 0);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void close_ends_the_input_of_every_worker() throws Exception {
    ProcessLauncher launcher = launcher(worker());
    launcher.launch("T-1", 2, launcher.request());
    await().atMost(LIMIT).until(() -> lines(starts()).size() == 2);

    assertThat(launcher.drain(LIMIT)).isTrue();

    assertThat(launcher.living()).isZero();
    assertThat(launcher.instances()).extracting(LaunchedInstance::state).containsOnly(State.ENDED);
    assertThat(launcher.explanation("T-1.1")).contains("exit code 0").contains("T-1.1.log");
    assertThat(lines(folder.resolve("logs/T-1.1.log"))).containsExactly("hello");
  }

  @Test
  void worker_finds_its_launch_in_its_environment() throws Exception {
    String names =
        "$CLOUDKON_LAUNCH $CLOUDKON_INSTANCE $CLOUDKON_INSTANCE_TYPE $CLOUDKON_DRAIN_ON_EOF";
    try (ProcessLauncher launcher = launcher("echo \"%s\"".formatted(names))) {
      launcher.launch("T-1", 1, launcher.request());

      Path log = folder.resolve("logs/T-1.1.log");
      await().atMost(LIMIT).until(() -> !lines(log).isEmpty());
      assertThat(lines(log)).containsExactly("T-1 T-1.1 process true");
    }
  }

  @Test
  void provisioner_that_died_before_it_started_anything_leaves_it_to_its_successor()
      throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      Map<String, String> request = launcher.request();
      LaunchFolder dead = LaunchFolder.open(folder.resolve("state"));
      assertThat(dead.claim("T-1", new LaunchOrder(1, 1, request))).isTrue();
      assertThat(launcher.instances()).isEmpty();

      assertThat(launcher.launch("T-1", 1, request).instances()).hasSize(1);

      await().atMost(LIMIT).until(() -> lines(starts()).equals(List.of("T-1.1")));
    }
  }

  @Test
  void process_that_has_the_number_of_a_dead_worker_is_not_taken_for_it() throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      LaunchFolder dead = LaunchFolder.open(folder.resolve("state"));
      boolean claimed = dead.claim("T-1", new LaunchOrder(1, 1L << 50, launcher.request()));
      // This very process, as if it had started at another time.
      String stat = "%d (sh) S%s".formatted(ProcessHandle.current().pid(), " 1".repeat(30));
      Files.write(
          dead.instance("T-1.1"),
          List.of(Long.toString(ProcessHandle.current().pid()), "another boot", stat));

      assertThat(claimed).isTrue();
      assertThat(launcher.instances())
          .extracting(LaunchedInstance::state)
          .containsOnly(State.ENDED);
    }
  }

  @Test
  void withdrawn_launch_is_never_made_by_whoever_calls() throws Exception {
    try (ProcessLauncher launcher = launcher(worker());
        ProcessLauncher frozen = launcher(worker())) {
      assertThat(launcher.withdraw("T-1")).isTrue();
      assertThat(launcher.withdraw("T-1")).isTrue();

      assertThat(frozen.launch("T-1", 1, frozen.request()).instances()).isEmpty();
      assertThat(launcher.instances()).isEmpty();
      assertThat(frozen.launch("T-2", 1, frozen.request()).instances()).hasSize(1);
      assertThat(launcher.withdraw("T-2")).isFalse();
    }
  }

  @Test
  void launch_of_another_machine_is_not_made_here() throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      var request = new java.util.HashMap<>(launcher.request());
      request.put("place", "elsewhere:/state");

      var launch = launcher.launch("T-1", 1, request);

      assertThat(launch.instances()).isEmpty();
      assertThat(launch.failures().getFirst().message()).contains("elsewhere");
      assertThat(launcher.instances()).isEmpty();
    }
  }

  @Test
  void launches_that_ended_a_day_ago_are_forgotten() throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      LaunchFolder old = LaunchFolder.open(folder.resolve("state"));
      boolean claimed = old.claim("T-1", new LaunchOrder(1, 1, launcher.request()));

      assertThat(claimed).isTrue();
      assertThat(launcher.instances()).isEmpty();
      assertThat(old.tokens()).isEmpty();
    }
  }

  @Test
  void damaged_file_of_a_launch_hides_no_other() throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      launcher.launch("T-1", 1, launcher.request());
      Files.createFile(folder.resolve("state/T-0.launch"));
      Files.createFile(folder.resolve("state/T-0.1"));

      assertThat(launcher.instances()).extracting(LaunchedInstance::launch).containsExactly("T-1");
    }
  }

  @Test
  void folder_that_cannot_be_used_for_a_while_is_a_failure_in_passing() throws Exception {
    try (ProcessLauncher launcher = launcher(worker())) {
      Path state = folder.resolve("state");
      Path away = folder.resolve("away");
      Files.move(state, away);

      assertThatThrownBy(() -> launcher.launch("T-1", 1, launcher.request()))
          .isInstanceOf(TransientServiceException.class)
          .hasMessageContaining("T-1.launch");
      assertThatThrownBy(launcher::instances).isInstanceOf(TransientServiceException.class);

      Files.move(away, state);
      assertThat(launcher.launch("T-1", 1, launcher.request()).instances()).hasSize(1);
    }
  }

  @Test
  void folder_is_its_users_alone() throws Exception {
    launcher(worker()).close();

    assertThat(Files.getPosixFilePermissions(folder.resolve("state")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }
}
