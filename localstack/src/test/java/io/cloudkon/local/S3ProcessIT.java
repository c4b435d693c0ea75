package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When the process that S3 runs in begins, and that it always ends. */
@Execution(ExecutionMode.CONCURRENT)
class S3ProcessIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path temporary;

  private LocalProcess local;
  private S3Calls s3;

  @BeforeEach
  void start() {
    local = LocalProcess.startIn(temporary);
    s3 = new S3Calls(local.endpoints().s3Port(), local.key());
  }

  @AfterEach
  void stop() {
    s3.close();
    local.close();
  }

  private List<ProcessHandle> processes() {
    return local.process().children().toList();
  }

  private ProcessHandle startedProcess() {
    await().atMost(LIMIT).until(() -> !processes().isEmpty());
    return processes().getFirst();
  }

  private List<Path> foldersOfS3() throws Exception {
    return foldersOfS3(temporary);
  }

  private static List<Path> foldersOfS3(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().contains("-s3-")).toList();
    }
  }

  private Socket connection() throws Exception {
    return new Socket(InetAddress.getByName("127.0.0.1"), local.endpoints().s3Port());
  }

  private static void send(Socket socket, String text) throws Exception {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** The headers without which the emulator answers nobody, and the end of a head. */
  private String admitted() {
    return "Host: localhost\r\nAuthorization: %s\r\n\r\n"
        .formatted(SqsCalls.authorization(local.key()));
  }

  private void assertNothingIsLeftOf(ProcessHandle process) {
    await().atMost(LIMIT).until(() -> !process.isAlive());
    await().atMost(LIMIT).untilAsserted(() -> assertThat(foldersOfS3()).isEmpty());
  }

  @Test
  void nothing_runs_before_the_first_request_and_all_that_come_at_once_share_one_process()
      throws Exception {
    try (Socket idle = connection()) {
      assertThat(idle.isConnected()).isTrue();
    }
    assertThat(processes()).isEmpty();
    assertThat(foldersOfS3()).isEmpty();

    List<CompletableFuture<S3Calls.Answer>> answers =
        IntStream.range(0, 8)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(
                    () -> s3.put("/bucket-" + i, ""), Thread::startVirtualThread))
            .toList();
    answers.forEach(answer -> answer.join().ok());
    assertThat(processes()).hasSize(1);
    assertThat(foldersOfS3()).hasSize(1);
  }

  /** It would answer everybody who reaches it. */
  @Test
  @EnabledOnOs(OS.LINUX) // the place where a process's sockets can be read
  void process_listens_on_no_port_and_its_socket_is_this_users_alone() throws Exception {
    s3.get("/").ok();
    assertThat(ListeningSockets.of(startedProcess())).isEmpty();
    Path folder = foldersOfS3().getFirst();
    assertThat(folder.resolve("s3.sock")).exists();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
  }

  @Test
  void folder_for_temporary_files_whose_path_is_too_long_for_a_socket_is_refused()
      throws Exception {
    Path deep = Files.createDirectory(temporary.resolve("d".repeat(90)));
    try (LocalProcess other = LocalProcess.startIn(deep);
        S3Calls calls = new S3Calls(other.endpoints().s3Port(), other.key())) {
      S3Calls.Answer answer = calls.get("/");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.body()).contains("s3.sock", "103", "TMPDIR");
      assertThat(foldersOfS3(deep)).isEmpty();
    }
  }

  @Test
  void emulator_killed_during_an_upload_leaves_no_process_and_no_file() throws Exception {
    s3.put("/bucket", "").ok();
    try (Socket upload = connection()) {
      send(
          upload,
          "PUT /bucket/key HTTP/1.1\r\nContent-Length: 90000000\r\n"
              + admitted()
              + "x".repeat(3_000_000));
      ProcessHandle process = startedProcess();
      assertThat(foldersOfS3()).hasSize(1);
      local.process().destroyForcibly();
      assertNothingIsLeftOf(process);
    }
  }

  @Test
  void emulator_killed_while_s3_is_starting_leaves_no_process_and_no_file() throws Exception {
    try (Socket first = connection()) {
      send(first, "GET / HTTP/1.1\r\n" + admitted());
      ProcessHandle process = startedProcess();
      local.process().destroyForcibly();
      assertNothingIsLeftOf(process);
    }
  }

  @Test
  void emulator_that_ends_leaves_no_process_and_no_file_and_says_nothing_of_it() throws Exception {
    s3.put("/bucket", "").ok();
    s3.put("/bucket/key", "x").ok();
    ProcessHandle process = startedProcess();
    local.process().getOutputStream().close();
    assertThat(local.exitCode()).isZero();
    assertThat(process.isAlive()).isFalse();
    assertThat(foldersOfS3()).isEmpty();
    assertThat(local.errors()).isEqualTo("The emulator runs until the end of standard input.");
  }

  @Test
  void process_that_was_killed_is_said_to_be_and_started_anew_by_the_next_request()
      throws Exception {
    s3.put("/bucket", "").ok();
    ProcessHandle killed = startedProcess();
    killed.destroyForcibly();
    assertNothingIsLeftOf(killed);
    assertThat(s3.get("/bucket?list-type=2").body()).contains("NoSuchBucket");
    assertThat(processes()).singleElement().isNotEqualTo(killed);
    local.process().getOutputStream().close();
    local.exitCode();
    assertThat(local.errors().lines())
        .last()
        .asString()
        .contains("S3 ended with exit code 137", "starts it again");
  }
}
