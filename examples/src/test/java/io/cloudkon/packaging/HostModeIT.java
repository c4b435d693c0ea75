package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code localstack/host-mode.sh} with a stand-in for LocalStack and its Python. */
class HostModeIT {
  private static final Path SCRIPT = Started.HOME.resolve("localstack/host-mode.sh");

  @TempDir Path folder;
  private Path cache;
  private Path venv;

  @BeforeEach
  void install() throws Exception {
    cache = folder.toRealPath().resolve("localstack-host-mode");
    venv = cache.resolve("venv");
    Path python = Files.createDirectories(venv.resolve("bin")).resolve("python");
    Files.writeString(
        python,
        """
        #!/bin/sh
        case "$*" in
          *cloudkon=*) echo Ready.; while :; do sleep 1; done ;;
          *taken*) exit 1 ;;
        esac
        """);
    Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(venv.resolve("installed"), stamp());
  }

  private static String stamp() throws IOException, InterruptedException {
    Matcher versions =
        Pattern.compile("(?s)\\nversion=([0-9.]+).*\\npython_version=([0-9.]+)\\n")
            .matcher(Files.readString(SCRIPT));
    assertThat(versions.find()).isTrue();
    Started sum =
        Started.of(List.of("sh", "-c", "cksum <localstack/pins/localstack.txt"), Map.of());
    return "localstack-core %s, Python %s, %s"
        .formatted(versions.group(1), versions.group(2), sum.stdout());
  }

  private Started hostMode(String... arguments) throws Exception {
    return hostMode(Map.of(), arguments);
  }

  private Started hostMode(Map<String, String> more, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--cache", folder.toRealPath().toString()));
    Map<String, String> environment = new HashMap<>(more);
    environment.put("AWS_ACCESS_KEY_ID", "mine");
    environment.put("AWS_SECRET_ACCESS_KEY", "secret");
    return Started.of(command, environment);
  }

  @Test
  void credentials_are_kept_in_a_file_that_nobody_else_may_read() throws Exception {
    Started started = hostMode("start", "--port", "4599", "--dynamodb", "http://dynamodb.example");
    try {
      assertThat(started.exitCode()).as(started.stderr()).isZero();
      Path variables = cache.resolve("run/variables");
      assertThat(variables)
          .content()
          .isEqualTo(started.stdout())
          .contains("SECRET_ACCESS_KEY=secret\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(variables)))
          .isEqualTo("rw-------");
      assertThat(hostMode("status").stdout()).isEqualTo(started.stdout());
    } finally {
      assertThat(hostMode("stop").exitCode()).isZero();
    }
  }

  @Test
  void lock_of_a_command_that_was_killed_before_it_wrote_its_number_is_taken_over()
      throws Exception {
    Path lock = Files.createDirectory(cache.resolve("lock"));
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(3))));

    Started started = hostMode("install");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).isEqualTo(venv + "\n");
    assertThat(lock).doesNotExist();
  }

  private void program(Path bin, String name, String lines) throws IOException {
    Path program = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + lines);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void lock_that_another_command_was_quicker_to_take_over_is_left_to_it() throws Exception {
    Path lock = Files.createDirectory(cache.resolve("lock"));
    Files.writeString(lock.resolve("pid"), "999999999\n");
    long other = ProcessHandle.current().pid();
    Path bin = Files.createDirectory(folder.resolve("bin"));
    // the other command takes it over when this one has read who had it
    program(
        bin,
        "cat",
        """
        PATH=/usr/bin:/bin
        cat "$@" || exit
        case $1 in */lock/pid) [ -e '%1$s/taken' ] || { : >'%1$s/taken'; echo %2$d >"$1"; } ;; esac
        """
            .formatted(folder, other));
    program(bin, "sleep", "exec rm -r '%s'\n".formatted(lock));

    Started started = hostMode(Map.of("PATH", bin + ":" + System.getenv("PATH")), "install");

    assertThat(started.stderr())
        .contains("waiting for the other command on " + cache + ", process " + other);
    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(lock).doesNotExist();
  }

  /** A late command does not put the lock in its hands into that of a third one. */
  @Test
  void lock_is_given_back_once_a_third_command_has_left_its_place() throws Exception {
    Path lock = Files.createDirectory(cache.resolve("lock"));
    Files.writeString(lock.resolve("pid"), "999999999\n");
    long other = ProcessHandle.current().pid();
    Path bin = Files.createDirectory(folder.resolve("bin"));
    program(
        bin,
        "cat",
        """
        PATH=/usr/bin:/bin
        cat "$@" || exit
        case $1 in
          */lock/pid) [ -e '%1$s/taken' ] || { : >'%1$s/taken'; echo %2$d >"$1"; } ;;
          */lock.*/pid) [ -e '%1$s/third' ] || { : >'%1$s/third'; mkdir '%3$s'; echo 1 >'%3$s/pid'; } ;;
        esac
        """
            .formatted(folder, other, lock));
    program(bin, "sleep", "ls '%1$s' >>'%2$s/seen'; exec rm -r '%1$s'\n".formatted(lock, folder));

    Started started = hostMode(Map.of("PATH", bin + ":" + System.getenv("PATH")), "install");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stderr())
        .contains("waiting for the other command on " + cache + ", process " + other);
    assertThat(folder.resolve("seen")).hasContent("pid\npid\n");
    assertThat(lock).doesNotExist();
  }

  @Test
  void command_waits_while_another_has_a_live_ones_lock_in_its_hands() throws Exception {
    Path held = Files.createDirectory(cache.resolve("lock.1"));
    Files.writeString(held.resolve("pid"), ProcessHandle.current().pid() + "\n");
    Path bin = Files.createDirectory(folder.resolve("bin"));
    program(bin, "sleep", "ls '%s' >'%s/seen'; exec rm -r '%s'\n".formatted(cache, folder, held));

    Started started = hostMode(Map.of("PATH", bin + ":" + System.getenv("PATH")), "install");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(folder.resolve("seen")).content().contains("lock.1").doesNotContain("lock\n");
  }

  @Test
  void full_disk_is_told_and_leaves_no_lock() throws Exception {
    Started started =
        Started.of(
            List.of(
                "sh",
                "-c",
                "{ (trap '' XFSZ; ulimit -f 0; exec \"$@\") 2>&1; echo \"exit code $?\"; } | cat",
                "sh",
                SCRIPT.toString(),
                "install",
                "--cache",
                folder.toRealPath().toString()),
            Map.of());
    assertThat(started.stdout())
        .contains("nothing can be written to the cache folder " + cache + " (", "--cache")
        .endsWith("exit code 3\n");
    assertThat(cache.resolve("lock")).doesNotExist();
  }

  @Test
  void lock_that_cannot_be_made_is_told_and_not_waited_for() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    program(
        bin,
        "mkdir",
        """
        case "$*" in
          */lock | */probe.*) echo 'mkdir: cannot create: No space left on device' >&2; exit 1 ;;
        esac
        PATH=/usr/bin:/bin exec mkdir "$@"
        """);

    Started started = hostMode(Map.of("PATH", bin + ":" + System.getenv("PATH")), "install");

    assertThat(started.exitCode()).isEqualTo(3);
    assertThat(started.stderr())
        .isEqualTo(
            "host-mode: nothing can be written to the cache folder %s (No space left on device);"
                    .formatted(cache)
                + " make room there, or name another one with --cache\n");
    assertThat(cache.resolve("lock")).doesNotExist();
  }
}
