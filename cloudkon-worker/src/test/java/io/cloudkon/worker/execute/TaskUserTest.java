package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs workers as root and as a user with just the capabilities that it takes: for root only. */
class TaskUserTest {
  private static final String USER = "nobody";
  private static final int SERVICE_UID = 64_321;

  private static Path classes;
  private static String classPath = "";
  private Path temp;

  @BeforeAll
  static void copyClasses() throws Exception {
    if (possible()) {
      classes = Files.createTempDirectory(Path.of("/tmp"), "task-user-classes-");
      Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
      classPath = ConfinedWorker.readable(classes);
    }
  }

  @AfterAll
  static void removeClasses() {
    if (classes != null) {
      FileTrees.remove(classes);
    }
  }

  private static boolean possible() {
    return "root".equals(System.getProperty("user.name"))
        && Files.exists(Path.of("/usr/bin/setpriv"));
  }

  @BeforeEach
  void asRoot() throws IOException {
    assumeTrue(possible(), "--task-user is tried by root, where setpriv is");
    // JUnit's own folders lie in one that no other user may enter
    temp = Files.createTempDirectory(Path.of("/tmp"), "task-user-");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @AfterEach
  void remove() {
    if (temp != null) {
      FileTrees.remove(temp);
    }
  }

  private static List<String> service(List<String> capabilities) {
    String all = capabilities.stream().map(c -> ",+" + c).collect(Collectors.joining());
    List<String> prefix = new ArrayList<>(List.of("setpriv", "--reuid=" + SERVICE_UID));
    prefix.addAll(List.of("--regid=" + SERVICE_UID, "--clear-groups", "--no-new-privs"));
    prefix.addAll(List.of("--inh-caps=-all" + all, "--ambient-caps=-all" + all));
    prefix.add("--bounding-set=-all" + all);
    return prefix;
  }

  private static List<String> prefix(String worker) {
    return worker.startsWith("root") ? List.of() : service(ConfinedWorker.AMBIENT);
  }

  /** By a worker of root's or a service's, whose commands are spawned or start behind a shell. */
  private String run(String worker, String user, String what, String line)
      throws IOException, InterruptedException {
    String launch = worker.endsWith("/shell") ? "shell" : "spawn";
    return run(launch, prefix(worker), user, what, line);
  }

  private String run(List<String> prefix, String user, String what, String line)
      throws IOException, InterruptedException {
    return run("spawn", prefix, user, what, line);
  }

  private String run(String launch, List<String> prefix, String user, String what, String line)
      throws IOException, InterruptedException {
    return ConfinedWorker.run(
        launch,
        prefix,
        classPath,
        Map.of("AWS_SECRET_ACCESS_KEY", "kept"),
        temp,
        "cluster",
        user,
        what,
        line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"root", "service", "root/shell", "service/shell"})
  void command_is_the_users_has_no_rights_and_leaves_nothing(String worker) throws Exception {
    String printed =
        run(
            worker,
            USER,
            "exec",
            """
            cat /proc/self/oom_score_adj; id -un; grep -c '^Cap.*:.0*$' /proc/self/status; grep NoNewPrivs /proc/self/status
            echo "$HOME $USER"; mkdir -p deep/er; echo kept-file >deep/er/file; chmod 0 deep/er
            echo again >/dev/stderr; cat /proc/$PPID/environ && echo READ; ls .. && echo LISTED
            ls "$(dirname "$PWD")/worker" && echo ENTERED; exit 7
            """);

    assertThat(printed)
        .contains("500\nnobody\n5\nNoNewPrivs:\t1\n/nonexistent nobody\n", "again\n");
    String how = worker.endsWith("/shell") ? "behind a shell\n" : "spawned\n";
    assertThat(printed).contains(how + "FAILED 7 exit code 7").endsWith("closed\n");
    assertThat(printed).doesNotContain("READ", "LISTED", "ENTERED", "=kept");
    assertThat(temp).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"service", "service/shell"})
  void program_that_only_the_user_can_reach_runs(String worker) throws Exception {
    Path closed = Files.createDirectory(temp.resolve("closed"));
    Path program = Files.writeString(closed.resolve("program"), "#!/bin/sh\necho ran\n");
    for (Path each : List.of(program, closed)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
      Files.setAttribute(each, "unix:uid", 65534);
    }

    assertThat(run(worker, USER, "program", program.toString())).contains("ran\n", "SUCCEEDED 0");
    assertThat(run(worker, USER, "program", closed.resolve("none").toString()))
        .contains("No such file", "FAILED 127");
    assertThat(run(worker, USER, "program", temp.resolve("none").toString()))
        .contains("FAILED 127 command not found");
  }

  /** Or a task's library would run in what becomes the user, with the worker's rights. */
  @ParameterizedTest
  @ValueSource(strings = {"root", "service", "root/shell", "service/shell"})
  void variables_of_a_task_reach_nothing_but_the_task(String worker) throws Exception {
    String printed =
        run(
            worker,
            USER,
            "preloaded",
            "echo \"$OWN\"; [ \"$CLOUDKON_GUARD\" = mine ] || echo kept");

    assertThat(printed).contains("a b\nkept\n").containsOnlyOnce("cannot be preloaded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"root", "service", "root/shell", "service/shell"})
  void shipped_files_are_the_users_copies(String worker) throws Exception {
    Path ship = Files.createDirectories(temp.resolve("tool/bin"));
    Path program = ship.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho ran by $(id -un); echo more >>tool/bin/program\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx---r-x"));

    if (worker.startsWith("service")) {
      // as what a worker has fetched is its own
      for (Path path : List.of(temp.resolve("tool"), ship, program)) {
        Files.setAttribute(path, "unix:uid", SERVICE_UID);
        Files.setAttribute(path, "unix:gid", SERVICE_UID);
      }
    }

    String printed =
        run(worker, USER, temp.resolve("tool").toString(), "tool/bin/program && echo fine");

    assertThat(printed).contains("ran by nobody\nfine\n", "SUCCEEDED 0");
    assertThat(program).content().doesNotContain("more\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"root", "service", "root/shell", "service/shell"})
  void kill_reaches_what_left_the_group(String worker) throws Exception {
    String printed =
        run(
            worker,
            USER,
            "timed",
            "setsid sh -c 'echo $$ >" + temp + "/pid; exec sleep 1000' & sleep 1000");

    assertThat(printed).contains("TIMED_OUT 137 exceeded its time limit of 500 ms");
    assertThat(Processes.pids(temp.resolve("pid"))).hasSize(1).noneMatch(Processes::runs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"root", "service", "root/shell", "service/shell"})
  void ranks_and_mpiexec_are_the_users_too(String worker) throws Exception {
    assertThat(run(worker, USER, "rank", "/usr/bin/id -un")).contains("nobody\n");
    Path script = temp.resolve("line");
    Files.writeString(script, "#!/bin/sh\nid -un; echo 5 >$CLOUDKON_MPI_EXIT\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run(worker, USER, "rank", script.toString()))
        .contains("nobody\n", "FAILED 5 exit code 5");
  }

  @Test
  void unknown_user_root_and_the_workers_own_are_refused() throws Exception {
    assertThat(run(List.of(), "no-such-user", "exec", "true"))
        .isEqualTo(
            "--task-user no-such-user: this machine has no such user; make one with: useradd"
                + " --system no-such-user\n");
    assertThat(run(List.of(), "a b", "exec", "true"))
        .isEqualTo("--task-user a b: expected the name of a user of this machine\n");
    assertThat(run(List.of(), "root", "exec", "true"))
        .startsWith("--task-user root: root may read the worker's credentials");
    List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    assertThat(run(nobody, "nobody", "exec", "true"))
        .startsWith("--task-user nobody: the worker itself runs as this user");
  }

  @ParameterizedTest
  @ValueSource(strings = {"setuid", "setgid", "setpcap", "kill", "chown"})
  void missing_capability_is_named(String missing) throws Exception {
    List<String> others = new ArrayList<>(ConfinedWorker.AMBIENT);
    others.remove(missing);

    assertThat(run(service(others), USER, "exec", "true"))
        .startsWith("--task-user nobody: ")
        .contains("CAP_" + missing.toUpperCase(Locale.ROOT));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void missing_setpriv_is_named() throws Exception {
    Path bin = Files.createDirectory(temp.resolve("bin"));
    String printed =
        ConfinedWorker.run(
            List.of(),
            classPath,
            Map.of("PATH", bin.toString()),
            temp,
            "cluster",
            USER,
            "exec",
            "true");

    assertThat(printed)
        .isEqualTo(
            "--task-user nobody: this needs Linux and setpriv (package util-linux), which is not"
                + " on PATH "
                + bin
                + "\n");
  }
}
