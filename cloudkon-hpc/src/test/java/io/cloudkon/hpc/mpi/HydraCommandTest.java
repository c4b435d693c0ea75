package io.cloudkon.hpc.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HydraCommandTest {

  @Test
  void command_line_has_a_made_up_host_for_each_rank_and_the_program_at_its_end() {
    List<String> argv =
        new HydraCommand("/opt/mpiexec", 3, "10.0.0.7", List.of("./pi", "a b", "$X")).argv();

    assertThat(argv)
        .startsWith("/opt/mpiexec", "-launcher", "manual", "-hosts", "rank0,rank1,rank2", "-n", "3")
        .containsSequence("-localhost", "10.0.0.7", "-genvnone", "-wdir", "/", "/bin/sh", "-c")
        .endsWith("cloudkon-rank", "./pi", "a b", "$X");
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
