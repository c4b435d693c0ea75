package io.cloudkon.hpc.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What starts MPICH's mpiexec so that it launches nothing itself, but prints one line for each rank
 * which may then run on any machine that reaches it.
 *
 * <p>It takes the ranks' environment and directory from those lines' own processes, not from
 * mpiexec: {@code -genvnone} keeps mpiexec's environment from them, and a small shell in front of
 * the program goes to the directory and notes the exit code, which mpiexec and its proxy do not
 * tell for each rank. Which port mpiexec listens on can be narrowed by {@code
 * MPIEXEC_PORT_RANGE=from:to}.
 *
 * @param mpiexec MPICH's mpiexec
 * @param ranks how many
 * @param address of this machine, by which the others reach it
 * @param program the program and its arguments
 */
public record HydraCommand(String mpiexec, int ranks, String address, List<String> program) {
  /** The variable that names the directory in which a rank's program starts. */
  public static final String DIRECTORY = "CLOUDKON_MPI_DIRECTORY";

  /** The variable that names the file into which a rank's exit code is written. */
  public static final String EXIT_FILE = "CLOUDKON_MPI_EXIT";

  /**
   * Only rank 0 is given standard input; the others' would never end. A program that a signal
   * killed is followed by the shell, or mpiexec would not end the other ranks.
   */
  private static final String RANK =
      """
      cd "$CLOUDKON_MPI_DIRECTORY" || exit 126
      [ "$PMI_RANK" = 0 ] || exec </dev/null
      "$@"
      code=$?
      echo "$code" >"$CLOUDKON_MPI_EXIT"
      [ "$code" -gt 128 ] && kill -"$((code - 128))" $$
      exit "$code"
      """;

  public HydraCommand {
    if (ranks < 1 || program.isEmpty()) {
      throw new IllegalArgumentException(
          "mpiexec needs 1 rank or more and a program, not %d and %s".formatted(ranks, program));
    }
    program = List.copyOf(program);
  }

  /** The command line. Its hosts are made up, one for each rank, so that each has its own line. */
  public List<String> argv() {
    String hosts =
        IntStream.range(0, ranks).mapToObj(i -> "rank" + i).collect(Collectors.joining(","));
    List<String> argv =
        new ArrayList<>(
            List.of(mpiexec, "-launcher", "manual", "-hosts", hosts, "-n", String.valueOf(ranks)));
    // a directory that every machine has
    argv.addAll(List.of("-localhost", address, "-genvnone", "-wdir", "/"));
    argv.addAll(List.of("/bin/sh", "-c", RANK, "cloudkon-rank"));
    argv.addAll(program);
    return argv;
  }
}
