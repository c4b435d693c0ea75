package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The emulator in the background: how it is started and found again. */
class BackgroundIT extends BackgroundBed {
  private static int health(LocalProcess.Ended ended) throws Exception {
    URI sqs = ended.endpoint("AWS_ENDPOINT_URL_SQS");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(sqs.resolve("/health"))
                  .header("Authorization", SqsCalls.authorization(ended.key()))
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void background_returns_when_ready_and_the_same_emulator_is_found_again() throws Exception {
    LocalProcess.Ended first = local("--background");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out().lines()).hasSize(6).allMatch(line -> line.startsWith("export AWS_"));
    assertThat(first.err().lines()).singleElement().asString().contains("cloudkon local stop");
    assertThat(health(first)).isEqualTo(200);
    assertThat(Files.readString(state().resolve("emulator.log")))
        .as("the JVM refuses an AOT cache with a line, and takes twice the processor time")
        .doesNotContain("[aot");

    LocalProcess.Ended second = local("--background");
    assertThat(second.exitCode()).isZero();
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(second.err()).contains("already runs");
    assertThat(local("status").out()).isEqualTo(first.out());

    ProcessHandle emulator = emulator();
    assertThat(local("stop").err()).contains("process " + emulator.pid() + ", has ended");
    await().atMost(LIMIT).until(() -> !emulator.isAlive());
    LocalProcess.Ended status = local("status");
    assertThat(status.exitCode()).isEqualTo(3);
    assertThat(status.err().lines()).singleElement().asString().contains("--background");
  }

  @Test
  @EnabledOnOs(OS.LINUX) // the place where a process's session can be read
  void background_runs_in_a_session_of_its_own() throws Exception {
    assertThat(local("--background").exitCode()).isZero();
    long pid = emulator().pid();
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    assertThat(fields[2]).as("process group").isEqualTo(Long.toString(pid));
    assertThat(fields[3]).as("session").isEqualTo(Long.toString(pid));
  }

  @Test
  void background_started_twice_at_once_is_one_emulator() {
    CompletableFuture<LocalProcess.Ended> one =
        CompletableFuture.supplyAsync(() -> local("--background"), Thread::startVirtualThread);
    CompletableFuture<LocalProcess.Ended> other =
        CompletableFuture.supplyAsync(() -> local("--background"), Thread::startVirtualThread);
    assertThat(one.join().exitCode()).isZero();
    assertThat(one.join().out()).isEqualTo(other.join().out());
  }

  @Test
  void background_with_a_port_in_use_shows_the_log_and_exits_with_3() {
    try (LocalProcess other = LocalProcess.start()) {
      LocalProcess.Ended ended =
          local("--background", "--dynamodb-port=" + other.endpoints().dynamoDbPort());
      assertThat(ended.exitCode()).isEqualTo(3);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err()).contains("cannot be used for DynamoDB");
    }
  }
}
