package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkout's first start after a start that left the lock of its build. */
class BuildLockIT {
  @TempDir Path folder;
  private BareCheckout checkout;
  private Path lock;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = BareCheckout.below(folder);
    checkout.program("mvn", checkout.buildsClient());
    lock = Files.createDirectories(checkout.lock());
  }

  private Started start(String before) throws Exception {
    return checkout.start(Map.of(), "sh", "-c", before + "exec ./cloudkon runs --help");
  }

  /** Builds, and prints the help. */
  private void builds(String before) throws Exception {
    Started started = start(before);

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stderr().lines())
        .singleElement()
        .asString()
        .startsWith("cloudkon: building, as it is not built yet");
    assertThat(started.stdout()).startsWith("Usage: ");
    assertThat(lock).doesNotExist();
  }

  @Test
  void lock_of_a_process_that_has_died_is_taken_over() throws Exception {
    Files.writeString(lock.resolve("pid"), "999999999\n");
    builds("");
  }

  /** The first process of a container always has the same number. */
  @Test
  void lock_of_an_earlier_process_with_the_same_number_is_taken_over() throws Exception {
    builds("echo $$ >target/cloudkon-build.lock/pid; ");
  }

  @Test
  void lock_of_a_process_that_did_not_get_to_write_its_number_is_taken_over() throws Exception {
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(180)));
    builds("");
  }

  @Test
  void lock_whose_process_is_another_one_by_now_is_taken_over() throws Exception {
    Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(2 * 3_600)));
    builds("");
  }

  @Test
  void lock_of_a_process_that_builds_is_waited_for() throws Exception {
    Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
    checkout.program("sleep", "rm -rf '%s'\n".formatted(lock));

    Started started = start("");

    assertThat(started.stderr().lines().findFirst().orElseThrow())
        .isEqualTo(
            "cloudkon: waiting for the build that process %d is doing"
                .formatted(ProcessHandle.current().pid()));
    assertThat(started.exitCode()).isZero();
  }
}
