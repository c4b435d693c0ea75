package io.cloudkon.hpc.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The command that starts MPICH's mpiexec in a mode in which it launches nothing itself but prints
 * one launch line per rank. A line may then run on any machine that can reach mpiexec.
 *
 * <p>The ranks' environment and directory are those of the processes that run these lines, not
 * mpiexec's: {@code -genvnone} keeps mpiexec's environment from them, and a small shell in front of
 * the program changes to the directory and records the exit code, which mpiexec and its proxy do
 * not report per rank. {@code MPIEXEC_PORT_RANGE=from:to} restricts the port on which mpiexec
 * listens.
 *
 * <p>mpiexec receives the program as quoted text, which that shell splits again: mpiexec would
 * interpret an argument {@code :} as the beginning of another program, and it crashes with more
 * than about a thousand arguments.
 *
 * @param mpiexec MPICH's mpiexec
 * @param ranks the number of ranks
 * @param address the address at which the other machines reach this one
 * @param program the program and its arguments
 */
public record HydraCommand(String mpiexec, int ranks, String address, List<String> program) {
  /** The variable that names the directory in which a rank's program starts. */
  public static final String DIRECTORY = "CLOUDKON_MPI_DIRECTORY";

  /** The variable that names the file into which a rank's exit code is written. */
  public static final String EXIT_FILE = "CLOUDKON_MPI_EXIT";

  /**
   * Only rank 0 gets standard input; that of the other ranks would never end. If a signal killed
   * the program, the shell kills itself with the same signal; otherwise mpiexec would not end the
   * other ranks. A program may also exit with such a code by itself, so only signals that end a
   * process are sent: one that stops it would let the job hang. They are told by their names,
   * because their numbers depend on the system.
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
      [ "$code" -gt 128 ] && case $(kill -l "$code" 2>/dev/null) in
      HUP|INT|QUIT|ILL|TRAP|ABRT|IOT|EMT|BUS|FPE|KILL|SEGV|SYS|PIPE|ALRM|TERM|USR1|USR2|XCPU|XFSZ|VTALRM|PROF|STKFLT|IO|POLL|PWR|RT*)
        kill -"$((code - 128))" $$ 2>/dev/null ;;
      esac
      exit "$code"
      """;

  /** In characters. A character has at most three bytes, and an argument at most 128 KiB. */
  private static final int PIECE = 20_000;

  public HydraCommand {
    if (ranks < 1 || program.isEmpty()) {
      throw new IllegalArgumentException(
          "mpiexec needs 1 rank or more and a program, not %d and %s".formatted(ranks, program));
    }
    program = List.copyOf(program);
  }

  /**
   * The command line. Its host names are invented, one per rank, so that each rank has its own
   * line.
   */
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

  /** Splits the text, but never within a character. */
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
