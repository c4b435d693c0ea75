package io.cloudkon.hpc.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The command that starts MPICH's mpiexec so that it launches nothing itself, but prints one line
 * for each rank which may then run on any machine that reaches it.
 *
 * <p>It takes the ranks' environment and directory from those lines' own processes, not from
 * mpiexec: {@code -genvnone} keeps mpiexec's environment from them, and a small shell in front of
 * the program goes to the directory and notes the exit code, which mpiexec and its proxy do not
 * tell for each rank. Which port mpiexec listens on can be narrowed by {@code
 * MPIEXEC_PORT_RANGE=from:to}.
 *
 * <p>mpiexec sees nothing of the program but quoted text, which that shell takes apart: it would
 * take an argument {@code :} for the beginning of another program, and it dies of more than about a
 * thousand arguments.
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
      CLOUDKON_MPI_ARGV=
      while [ "$#" -gt 0 ]; do CLOUDKON_MPI_ARGV=$CLOUDKON_MPI_ARGV$1; shift; done
      eval "unset CLOUDKON_MPI_ARGV; set -- $CLOUDKON_MPI_ARGV"
      "$@"
      code=$?
      echo "$code" >"$CLOUDKON_MPI_EXIT"
      [ "$code" -gt 128 ] && kill -"$((code - 128))" $$
      exit "$code"
      """;

  /** In characters: of which each takes three bytes at most, and an argument has 128 KiB. */
  private static final int PIECE = 20_000;

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
    argv.addAll(
        pieces(program.stream().map(HydraCommand::quoted).collect(Collectors.joining(" "))));
    return argv;
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Cut anywhere but within a character. */
  private static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    int end;
    for (int from = 0; from < text.length(); from = end) {
      end = Math.min(from + PIECE, text.length());
      if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
        end--;
      }
      pieces.add(text.substring(from, end));
    }
    return pieces;
  }
}
