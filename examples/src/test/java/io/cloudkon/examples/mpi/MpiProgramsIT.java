package io.cloudkon.examples.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpiProgramsIT {
  private static final String STOP = "./cloudkon local stop >/dev/null 2>&1";

  @TempDir private Path folder;
  private ExampleReadme readme;
  private Workspace workspace;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(
        Workspace.has("mpicc") && Workspace.has("mpiexec.hydra"),
        "the MPI programs were not tried: there is no MPICH (mpicc, mpiexec.hydra) on the PATH");
    readme = ExampleReadme.of("mpi");
    workspace = new Workspace(folder);
  }

  @Test
  void programs_are_compiled_and_run_in_process() throws Exception {
    Ended ended = workspace.run(readme.blockWith("build.sh")).requireSuccess();

    assertThat(ended.linesAfterReport())
        .containsExactlyInAnyOrder(
            "pi is 3.1415926536, by 4 ranks", "pi is 3.1415926536, by 2 ranks");
  }

  @Test
  void programs_run_on_two_workers_of_the_emulated_cluster() throws Exception {
    workspace
        .run("examples/mpi/build.sh\n" + readme.blockWith("setup -s Q"), STOP)
        .requireSuccess();

    assertThat(Files.readString(workspace.file("mpi-on-q/results.jsonl")))
        .contains("pi is 3.1415926536, by 4 ranks", "rank 2 of 3 passed on 60");
  }

  @Test
  void missing_compiler_is_named() throws Exception {
    Ended ended = workspace.run("PATH=" + programs("dirname") + " examples/mpi/build.sh\n");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.stderr()).contains("no mpicc on the PATH", "apt-get install mpich");
  }

  /** A folder with links to these programs, and to nothing else. */
  private Path programs(String... names) throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    for (String name : names) {
      Files.createSymbolicLink(bin.resolve(name), Path.of("/usr/bin", name));
    }
    return bin;
  }
}
