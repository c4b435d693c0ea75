package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client is told when there is no S3 to be had. */
class S3EmulatorTest {
  @TempDir Path folder;

  private final List<String> told = new CopyOnWriteArrayList<>();
  private S3Emulator emulator;
  private S3Calls s3;

  private void start(Path jar) {
    AccessKey key = AccessKey.random();
    emulator = S3Emulator.start(Loopback.listen("S3", 0), new Access(key), jar, told::add);
    s3 = new S3Calls(emulator.port(), key);
  }

  @AfterEach
  void stop() {
    s3.close();
    emulator.close();
  }

  @Test
  void without_its_jar_every_request_is_told_so_and_how_to_build_it() {
    start(folder.resolve("none & <none>.jar"));
    for (int i = 1; i <= 2; i++) {
      S3Calls.Answer answer = s3.put("/bucket", "x".repeat(3_000_000));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.body())
          .contains("<Code>ServiceUnavailable</Code>", "none &amp; &lt;none&gt;.jar is missing");
      assertThat(told).hasSize(i);
    }
    assertThat(told.getFirst()).contains("S3 cannot be started", "mvn -pl localstack package");
  }

  @Test
  void with_a_process_that_ends_at_once_the_request_is_told_what_it_wrote() throws Exception {
    Path jar = folder.resolve("empty.jar");
    new JarOutputStream(Files.newOutputStream(jar)).close();
    start(jar);
    S3Calls.Answer answer = s3.get("/");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).contains("exit code 1", "empty.jar");
    assertThat(told).singleElement().asString().contains("exit code 1", "empty.jar");
  }
}
