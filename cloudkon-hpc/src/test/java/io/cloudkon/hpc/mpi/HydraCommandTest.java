package io.cloudkon.hpc.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HydraCommandTest {

  @Test
  void command_line_has_a_made_up_host_for_each_rank_and_the_program_at_its_end() {
    List<String> argv =
        new HydraCommand("/opt/mpiexec", 3, "10.0.0.7", List.of("./pi", "a b", "$X")).argv();

    assertThat(argv)
        .startsWith("/opt/mpiexec", "-launcher", "manual", "-hosts", "rank0,rank1,rank2", "-n", "3")
        .containsSequence("-localhost", "10.0.0.7", "-genvnone", "-wdir", "/", "/bin/sh", "-c")
        .endsWith("cloudkon-rank", "'./pi' 'a b' '$X'");
  }

  @Test
  void arguments_are_the_programs_whatever_they_are_to_mpiexec() throws Exception {
    assertThat(printed(List.of(":", "-n", "", "two words", "it's", "a\nline\n", "\\", "$(x)", "*")))
        .containsExactly(":", "-n", "", "two words", "it's", "a\nline\n", "\\", "$(x)", "*");
  }

  @Test
  void many_and_long_arguments_reach_the_program_by_few() throws Exception {
    List<String> many = Collections.nCopies(5_000, "argument");
    assertThat(argv(many)).hasSizeLessThan(30);
    assertThat(printed(many)).isEqualTo(many);

    List<String> wide = List.of("'".repeat(40_000), "\ud83d\ude00".repeat(30_000) + "x");
    assertThat(argv(wide)).allMatch(argument -> argument.getBytes(UTF_8).length < 128 * 1024);
    assertThat(printed(wide)).isEqualTo(wide);
  }

  @Test
  void program_sees_no_variable_of_the_shell_in_front() throws Exception {
    assertThat(output(List.of("/bin/sh", "-c", "set | grep CLOUDKON_MPI_ARGV"))).isEmpty();
  }

  /** 145 is SIGSTOP on macOS, 147 on Linux; there is no signal above 64. */
  @ParameterizedTest
  @ValueSource(ints = {1, 128, 137, 139, 143, 145, 146, 147, 148, 149, 150, 156, 193, 200, 255})
  void program_may_exit_with_any_code_and_its_rank_ends_quietly(int code) throws Exception {
    Process process = start(List.of("/bin/sh", "-c", "exit " + code));
    try {
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(process.exitValue()).isEqualTo(code);
      assertThat(process.getInputStream().readAllBytes()).asString(UTF_8).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The arguments that a program gets. */
  private static List<String> printed(List<String> arguments) throws Exception {
    List<String> program =
        new ArrayList<>(List.of("/bin/sh", "-c", "printf '%s\\0' \"$@\"", "program"));
    program.addAll(arguments);
    String output = output(program);
    assertThat(output).endsWith("\0");
    return List.of(output.substring(0, output.length() - 1).split("\0", -1));
  }

  /** The standard output of rank 0. */
  private static String output(List<String> program) throws Exception {
    return new String(start(program).getInputStream().readAllBytes(), UTF_8);
  }

  /** Rank 0, started as a proxy starts it. */
  private static Process start(List<String> program) throws Exception {
    List<String> argv = argv(program);
    ProcessBuilder rank = new ProcessBuilder(argv.subList(argv.indexOf("/bin/sh"), argv.size()));
    rank.environment()
        .putAll(
            Map.of(
                "PMI_RANK", "0", HydraCommand.DIRECTORY, "/", HydraCommand.EXIT_FILE, "/dev/null"));
    Process process = rank.redirectErrorStream(true).start();
    process.getOutputStream().close();
    return process;
  }

  private static List<String> argv(List<String> program) {
    return new HydraCommand("mpiexec", 1, "a", program).argv();
  }

  @Test
  void no_rank_or_no_program_is_refused() {
    assertThatThrownBy(() -> new HydraCommand("m", 0, "a", List.of("p")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HydraCommand("m", 1, "a", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void flavour_is_told_by_the_version() {
    assertThat(MpiFlavour.of("HYDRA build details:\n    Version:   4.0.2\n"))
        .isEqualTo(MpiFlavour.MPICH);
    assertThat(MpiFlavour.of("mpiexec (OpenRTE) 4.1.4\n\nReport bugs to http://www.open-mpi.org/"))
        .isEqualTo(MpiFlavour.OPEN_MPI);
    assertThat(MpiFlavour.of("mpiexec (Open MPI) 5.0.3")).isEqualTo(MpiFlavour.OPEN_MPI);
    assertThat(MpiFlavour.of("")).isEqualTo(MpiFlavour.OTHER);
  }
}
