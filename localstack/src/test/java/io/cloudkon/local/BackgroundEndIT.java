package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The emulator in the background: how it ends. */
class BackgroundEndIT extends BackgroundBed {
  @Test
  void background_that_was_killed_is_forgotten_and_started_anew() throws Exception {
    assertThat(local("--background").exitCode()).isZero();
    ProcessHandle killed = emulator();
    killed.destroyForcibly();
    await().atMost(LIMIT).untilAsserted(() -> assertThat(local("status").exitCode()).isEqualTo(3));
    assertThat(local("--background").exitCode()).isZero();
    assertThat(emulator().pid()).isNotEqualTo(killed.pid());
  }

  @Test
  void stop_leaves_a_stranger_alone_that_has_the_emulators_number_by_now() throws Exception {
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      new StateDirectory(state()).lock().close();
      Files.writeString(
          state().resolve("alive.lock"), BackgroundProcess.here(stranger.pid()).format());
      Files.writeString(
          state().resolve("emulator.properties"),
          new RunningEmulator(stranger.pid(), new Endpoints(1, 2, 3), AccessKey.random()).format());
      LocalProcess.Ended stop = local("stop");
      assertThat(stop.exitCode()).isZero();
      assertThat(stop.err()).isEqualTo("No emulator runs in the background.");
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void stop_ends_the_process_of_s3_as_well() throws Exception {
    LocalProcess.Ended background = local("--background");
    try (S3Calls s3 =
        new S3Calls(background.endpoint("AWS_ENDPOINT_URL_S3").getPort(), background.key())) {
      s3.get("/").ok();
    }
    ProcessHandle process = emulator().children().findFirst().orElseThrow();
    assertThat(local("stop").exitCode()).isZero();
    assertThat(process.isAlive()).isFalse();
  }

  /** A command's process and the emulator that it has started, which is not ready yet. */
  private record Starting(LocalProcess command, ProcessHandle emulator) {}

  private Starting starting() {
    LocalProcess command = LocalProcess.begin("--background", "--state-dir=" + state());
    Path alive = state().resolve("alive.lock");
    await().atMost(LIMIT).until(() -> Files.exists(alive) && Files.size(alive) > 0);
    return new Starting(command, aliveProcess());
  }

  private ProcessHandle aliveProcess() {
    try {
      String named = Files.readString(state().resolve("alive.lock"));
      return ProcessHandle.of(BackgroundProcess.parse(named).orElseThrow().pid()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill(LocalProcess command) {
    command.process().destroyForcibly();
    await().atMost(LIMIT).until(() -> !command.process().isAlive());
  }

  @Test
  void stop_ends_an_emulator_that_is_starting_and_whose_command_was_killed() {
    Starting starting = starting();
    kill(starting.command());

    LocalProcess.Ended stop = local("stop");

    assertThat(stop.exitCode()).isZero();
    assertThat(stop.err()).contains("process " + starting.emulator().pid() + ", has ended");
    await().atMost(LIMIT).until(() -> !starting.emulator().isAlive());
  }

  @Test
  void background_waits_for_an_emulator_that_is_starting_and_whose_command_was_killed()
      throws Exception {
    Starting starting = starting();
    kill(starting.command());

    LocalProcess.Ended background = local("--background");

    assertThat(background.exitCode()).as(background.err()).isZero();
    assertThat(emulator()).isEqualTo(starting.emulator());
    assertThat(local("status").out()).isEqualTo(background.out());
  }

  @Test
  void background_that_is_interrupted_while_the_emulator_starts_leaves_none() {
    Starting starting = starting();

    starting.command().process().destroy();

    await().atMost(LIMIT).until(() -> !starting.emulator().isAlive());
    assertThat(starting.command().exitCode()).isNotZero();
  }

  /** Two containers may share a home folder, and so its locks, but no process numbers. */
  @Test
  void emulator_of_another_container_is_left_alone_by_every_command() throws Exception {
    assertThat(local("--background").exitCode()).isZero();
    Path alive = state().resolve("alive.lock");
    String named = Files.readString(alive);
    Path properties = state().resolve("emulator.properties");
    String ready = Files.readString(properties);
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(
          alive, new BackgroundProcess(stranger.pid(), "box", "boot:pid:[1]").format());
      Files.writeString(
          properties,
          new RunningEmulator(stranger.pid(), new Endpoints(1, 2, 3), AccessKey.random()).format());
      for (String command : List.of("stop", "status", "--background")) {
        LocalProcess.Ended ended = local(command);
        assertThat(ended.exitCode()).as(command).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines())
            .singleElement()
            .asString()
            .contains("process " + stranger.pid() + " of box", "--state-dir");
      }
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
      Files.writeString(alive, named);
      Files.writeString(properties, ready);
    }
  }
}
