package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
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
}
