package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskCredentialsTest {
  private static final String SECRET = "kept-from-tasks";

  private static final Map<String, String> WORKERS =
      Map.of(
          "AWS_ACCESS_KEY_ID", SECRET,
          "AWS_SECRET_ACCESS_KEY", SECRET,
          "AWS_SESSION_TOKEN", SECRET,
          "AWS_CONTAINER_CREDENTIALS_FULL_URI", SECRET,
          "AWS_WEB_IDENTITY_TOKEN_FILE", SECRET,
          "AWS_REGION", "eu-somewhere-1");

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"exec, env", "rank, /usr/bin/env", "mpiexec, true"})
  void credentials_reach_no_program_of_a_clusters_worker(String what, String line)
      throws Exception {
    String printed = run("cluster", what, line);

    assertThat(printed).contains("CLOUDKON_TASK=", "AWS_REGION=eu-somewhere-1");
    assertThat(printed).doesNotContain(SECRET);
    assertThat(temp.resolve("asked"))
        .satisfiesAnyOf(
            file -> assertThat(what).isNotEqualTo("mpiexec"),
            file -> assertThat(file).content().contains("AWS_REGION").doesNotContain(SECRET));
  }

  @Test
  void names_that_are_passed_reach_them_and_no_others() throws Exception {
    assertThat(run("AWS_SESSION_TOKEN,AWS_ACCESS_KEY_ID", "exec", "env | sort"))
        .contains("AWS_ACCESS_KEY_ID=" + SECRET, "AWS_SESSION_TOKEN=" + SECRET)
        .doesNotContain("AWS_SECRET_ACCESS_KEY", "AWS_WEB_IDENTITY_TOKEN_FILE");
  }

  @Test
  void under_local_commands_have_all_that_the_client_has() throws Exception {
    assertThat(run("local", "exec", "env")).contains("AWS_SECRET_ACCESS_KEY=" + SECRET);
  }

  private String run(String rule, String what, String line)
      throws IOException, InterruptedException {
    Path mpiexec = temp.resolve("mpiexec");
    Files.writeString(
        mpiexec,
        "#!/bin/sh\n[ \"$1\" = --version ] && { env >"
            + temp.resolve("asked")
            + "; echo 'HYDRA build details:'; exit 0; }\nenv\n");
    Files.setPosixFilePermissions(mpiexec, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> workers = new HashMap<>(WORKERS);
    workers.put("CLOUDKON_MPIEXEC", mpiexec.toString());
    return ConfinedWorker.run(
        List.of(), System.getProperty("java.class.path"), workers, temp, rule, "", what, line);
  }
}
