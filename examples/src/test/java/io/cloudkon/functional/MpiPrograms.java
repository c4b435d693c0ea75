package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.examples.commands.Workspace;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * MPI programs, compiled where a test runs: those of the example, and one that gets into trouble.
 */
final class MpiPrograms {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** {@code mpi-trouble HOW RANK}: that rank does it when all are there, the others go on. */
  private static final String TROUBLE =
      """
      #include <mpi.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>

      int main(int argc, char **argv) {
        MPI_Init(&argc, &argv);
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        printf("rank %d is here\\n", rank);
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        if (argc == 3 && rank == atoi(argv[2])) {
          if (strcmp(argv[1], "exit") == 0) exit(3);
          if (strcmp(argv[1], "kill") == 0) raise(SIGKILL);
          if (strcmp(argv[1], "segv") == 0) raise(SIGSEGV);
          if (strcmp(argv[1], "hang") == 0) for (;;) pause();
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
      }
      """;

  private final Path folder;

  private MpiPrograms(Path folder) {
    this.folder = folder;
  }

  /** Why there can be none here; empty where there can. */
  static String lacking() {
    return Workspace.has("mpicc") && Workspace.has("mpiexec.hydra")
        ? ""
        : "real MPI programs were not run: there is no MPICH (mpicc, mpiexec.hydra) on the PATH";
  }

  /** Compiles them. */
  static MpiPrograms in(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path source = Files.writeString(folder.resolve("trouble.c"), TROUBLE);
    Path build = Workspace.CHECKOUT.resolve("examples/mpi/build.sh");
    run(folder, build.toString(), folder.toString());
    run(folder, "mpicc", "-o", folder.resolve("mpi-trouble").toString(), source.toString());
    return new MpiPrograms(folder);
  }

  private static void run(Path folder, String... command) throws InterruptedException {
    Path nothing = Path.of("/dev/null");
    try (Running running = Processes.start(List.of(command), nothing, Map.of(), folder)) {
      assertThat(running.awaitExit(LIMIT)).as(running.stderr()).isZero();
    }
  }

  Path file(String program) {
    return folder.resolve("mpi-" + program);
  }

  /** A line of a workload. */
  String line(int ranks, String program, Object... arguments) {
    StringBuilder line = new StringBuilder("mpi %d %s".formatted(ranks, file(program)));
    for (Object argument : arguments) {
      line.append(' ').append(argument);
    }
    return line.toString();
  }
}
