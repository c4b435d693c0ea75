package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of a checkout's build: who waits for it, who takes it over, and how it is let go. */
class BuildLockIT {
  private static final long ALIVE = ProcessHandle.current().pid();
  private static final long DEAD = 999_999_999;
  private static final String UNTIL =
      "; it is taken over if it shows no sign of life for %d minutes";

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

  private void ownedBy(String owner) throws IOException {
    Files.writeString(lock.resolve("pid"), owner + "\n");
  }

  /** A process number of this machine, as the launcher writes it. */
  private static String here(long number) throws Exception {
    Path namespace = Path.of("/proc/self/ns/pid");
    String host = Started.of(List.of("uname", "-n"), Map.of()).stdout().strip();
    return number
        + " "
        + host
        + ":"
        + (Files.isSymbolicLink(namespace) ? Files.readSymbolicLink(namespace) : "");
  }

  private void lastTouched(Duration ago) throws IOException {
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(ago)));
  }

  private void waitsFor(String process) throws Exception {
    waitsFor(process, "", "");
  }

  /** Waits until the lock is gone. */
  private void waitsFor(String process, String until, String before) throws Exception {
    checkout.program("sleep", "rm -rf '%s'\n".formatted(lock));

    Started started = start(before);

    assertThat(started.stderr().lines().findFirst().orElseThrow())
        .matches("cloudkon: waiting for the build that process " + process + " is doing" + until);
    assertThat(started.exitCode()).isZero();
  }

  // ---- of this machine

  @Test
  void lock_of_a_process_that_has_died_is_taken_over() throws Exception {
    ownedBy(here(DEAD));
    builds("");
  }

  /** The first process of a container always has the same number. */
  @Test
  void lock_of_an_earlier_process_with_the_same_number_is_taken_over() throws Exception {
    ownedBy(here(DEAD));
    builds("sed -i.bak \"s/^%d /$$ /\" target/cloudkon-build.lock/pid; ".formatted(DEAD));
  }

  @Test
  void lock_of_a_process_that_did_not_get_to_write_its_number_is_taken_over() throws Exception {
    lastTouched(Duration.ofMinutes(3));
    builds("");
  }

  @Test
  void lock_whose_process_is_another_one_by_now_is_taken_over() throws Exception {
    ownedBy(here(ALIVE));
    lastTouched(Duration.ofHours(2));
    builds("");
  }

  @Test
  void lock_of_a_process_that_builds_is_waited_for() throws Exception {
    ownedBy(here(ALIVE));
    lastTouched(Duration.ofMinutes(20));
    waitsFor(Long.toString(ALIVE));
  }

  @Test
  void lock_of_a_killed_process_whose_maven_still_runs_is_waited_for() throws Exception {
    ownedBy(here(DEAD));
    Files.writeString(lock.resolve("maven"), ALIVE + "\n");
    waitsFor(Long.toString(DEAD));
  }

  // ---- of another machine or container, whose process numbers mean nothing here

  @Test
  void lock_of_another_container_is_waited_for_even_if_its_number_is_the_same() throws Exception {
    waitsFor(
        "\\d+ on web",
        UNTIL.formatted(2),
        "echo \"$$ web:pid:[7]\" >target/cloudkon-build.lock/pid; ");
  }

  @Test
  void lock_of_another_container_that_no_longer_beats_is_taken_over() throws Exception {
    ownedBy(ALIVE + " web:pid:[7]");
    lastTouched(Duration.ofMinutes(4));
    builds("");
  }

  /** It told no place, and did not beat. */
  @Test
  void lock_of_an_earlier_version_is_waited_for_longer() throws Exception {
    ownedBy(Long.toString(DEAD));
    lastTouched(Duration.ofMinutes(4));
    waitsFor(Long.toString(DEAD), UNTIL.formatted(5), "");
  }

  @Test
  void lock_beats_while_maven_runs() throws Exception {
    Files.delete(lock);
    checkout.program("sleep", "exec /bin/sleep 0.1\n");
    checkout.program(
        "mvn",
        """
        touch -t 202001010000 '%1$s'
        while [ -n "$(find '%1$s' -prune -mmin +2)" ]; do :; done
        %2$s\
        """
            .formatted(lock, checkout.buildsClient()));
    builds("");
  }

  // ---- a build that is ended

  /** SIGINT and SIGHUP do, too, but are ignored where tests run in the background. */
  @Test
  void sigterm_ends_maven_too_and_at_once() throws Exception {
    Files.delete(lock);
    Path number = folder.resolve("maven.txt");
    checkout.program("mvn", "echo $$ >'%s'; exec /bin/sleep 60\n".formatted(number));
    ProcessBuilder builder =
        new ProcessBuilder("./cloudkon", "runs", "--help")
            .directory(checkout.home().toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.txt").toFile());
    builder.environment().putAll(checkout.surroundings(Map.of()));
    Process process = builder.start();
    await()
        .until(() ->
            Files.exists(lock.resolve("maven")) && Files.exists(number) && Files.size(number) > 0);

    Started.of(List.of("kill", "-TERM", Long.toString(process.pid())), Map.of());

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 15);
    long maven = Long.parseLong(Files.readString(number).strip());
    await().until(() -> ProcessHandle.of(maven).filter(ProcessHandle::isAlive).isEmpty());
    assertThat(lock).doesNotExist();
    assertThat(checkout.building()).exists();
  }

  // ---- no lock at all

  /** A stand-in that makes a folder only where the path does not contain this. */
  private void noRoomFor(String path) throws IOException {
    checkout.program(
        "mkdir",
        """
        case "$*" in
          *%s*) echo 'mkdir: cannot create directory: No space left on device' >&2; exit 1 ;;
        esac
        PATH=/usr/bin:/bin exec mkdir "$@"
        """
            .formatted(path));
  }

  @Test
  void full_disk_is_told_and_not_taken_for_another_build() throws Exception {
    Files.delete(lock);
    noRoomFor("build.lock");

    Started started = start("");

    assertThat(started.exitCode()).isEqualTo(3);
    assertThat(started.stderr())
        .isEqualTo(
            "cloudkon: CloudKon must be built (it is not built yet), and nothing can be written to"
                + " %s (No space left on device)\n".formatted(lock.getParent()));
  }

  @Test
  void full_disk_is_told_of_a_fresh_checkout_too() throws Exception {
    Path target = lock.getParent();
    try (Stream<Path> all = Files.walk(target)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    noRoomFor("target");

    Started started = start("");

    assertThat(started.exitCode()).isEqualTo(3);
    assertThat(started.stderr())
        .isEqualTo(
            "cloudkon: CloudKon must be built (it is not built yet), and nothing can be written to"
                + " %s (No space left on device)\n".formatted(target));
  }

  /** The owner lets go between the attempt to make the lock and the look at it. */
  @Test
  void lock_that_has_just_been_let_go_is_waited_for() throws Exception {
    checkout.program(
        "mkdir",
        """
        PATH=/usr/bin:/bin
        [ "$1" != '%1$s' ] || [ ! -e '%1$s' ] || { rmdir '%1$s'; exit 1; }
        exec mkdir "$@"
        """
            .formatted(lock));
    checkout.program("sleep", "exit 0\n");

    Started started = start("");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stderr()).contains("cloudkon: building, as it is not built yet");
  }

  @Test
  void missing_maven_is_no_wrong_usage() throws Exception {
    Files.delete(lock);
    Files.delete(checkout.programs().resolve("mvn"));
    for (String program : List.of("uname", "readlink", "find", "head", "sed", "tr", "cat")) {
      checkout.program(program, "PATH=/usr/bin:/bin exec %s \"$@\"\n".formatted(program));
    }

    Started started =
        checkout.start(
            Map.of("PATH", checkout.programs().toString()), "/bin/sh", "./cloudkon", "runs");

    assertThat(started.exitCode()).isEqualTo(3);
    assertThat(started.stderr()).contains("there is no Maven on the PATH");
  }
}
