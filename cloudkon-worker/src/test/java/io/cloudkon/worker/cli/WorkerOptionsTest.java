package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.worker.execute.Mounting;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.execute.guard.InheritedVariables;
import io.cloudkon.worker.execute.guard.StartRule;
import io.cloudkon.worker.gang.GangConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What the worker's options say of each other, before anything is called. */
class WorkerOptionsTest {
  private static WorkerCommand command(String... options) {
    List<String> all = new ArrayList<>(List.of("-s", "Q"));
    all.addAll(List.of(options));
    WorkerCommand command = new WorkerCommand();
    new CommandLine(command).parseArgs(all.toArray(String[]::new));
    return command;
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 4_097, 5_000})
  void limit_of_ranks_that_none_can_have_is_refused(int ranks) {
    assertThatThrownBy(() -> command("--max-ranks", "" + ranks).call())
        .isInstanceOf(UsageException.class)
        .hasMessage("--max-ranks %d: expected 1 to 4096", ranks);
  }

  @Test
  void names_of_other_programs_for_slots_lead_to_the_option() {
    assertThat(new WorkerCommand().instead("--slots"))
        .contains("the number of tasks that run at once is -t N");
    assertThat(new WorkerCommand().instead("--slot")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1s, 2s, 3s",
    "15s, 10s, 15s",
    "2ms, 0s, 2ms",
  })
  void lease_that_its_heartbeat_and_the_margin_use_up_is_refused(
      String lease, String margin, String least) {
    WorkerCommand command = command("--lease", lease, "--clock-margin", margin);
    assertThatThrownBy(() -> command.config(WorkerOrigin.BY_HAND, true))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--lease %s is too short for --clock-margin %s; expected more than %s, or a shorter"
                + " margin",
            lease, margin, least);
  }

  @Test
  void lease_just_above_that_is_accepted() {
    WorkerCommand command = command("--lease", "3001ms", "--clock-margin", "2s");
    assertThat(command.config(WorkerOrigin.BY_HAND, true)).isNotNull();
  }

  @Test
  void launched_worker_without_heartbeats_is_refused() {
    WorkerCommand command = command("--heartbeat", "off");
    WorkerOrigin launched = new WorkerOrigin("Q-1-abc", "i-1", "c7i.large", "spot");

    assertThatThrownBy(() -> command.config(launched, true))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--heartbeat off: a provisioner launched this worker, and ends workers that write no"
                + " status entries; expected at most 10s");
    assertThat(command.config(WorkerOrigin.BY_HAND, true)).isNotNull();
  }

  /**
   * A launch template of an earlier version may have it, and its workers must not fail for that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"11s", "15s", "1h"})
  void heartbeat_with_which_a_provisioner_would_miss_its_worker_is_shortened(String heartbeat) {
    WorkerOrigin launched = new WorkerOrigin("Q-1-abc", "i-1", "c7i.large", "spot");
    WorkerCommand command = command("--heartbeat", heartbeat);

    assertThat(command.config(launched, true).monitorEvery()).isEqualTo(Duration.ofSeconds(10));
    assertThat(command.config(WorkerOrigin.BY_HAND, true).monitorEvery())
        .isGreaterThan(Duration.ofSeconds(10));
    assertThat(command.warning(launched))
        .contains(
            "--heartbeat %s: a provisioner launched this worker, and would take it for dead between two status entries; it writes one every 10s"
                .formatted(heartbeat));
    assertThat(command.warning(WorkerOrigin.BY_HAND)).isEmpty();
  }

  @Test
  void heartbeat_of_a_launched_worker_may_be_half_of_what_counts_as_silent() {
    WorkerOrigin launched = new WorkerOrigin("Q-1-abc", "i-1", "c7i.large", "spot");

    assertThat(command("--heartbeat", "10s").config(launched, true).monitorEvery())
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(command("--heartbeat", "10s").warning(launched)).isEmpty();
  }

  @Test
  void tls_is_on_or_off() {
    assertThatThrownBy(() -> command("--rmi-tls", "maybe").call())
        .isInstanceOf(UsageException.class)
        .hasMessage("--rmi-tls maybe: expected on or off");
  }

  @ParameterizedTest
  @CsvSource({
    "--rmi-address, 127.0.0.1",
    "--rmi-port, 0",
    "--rmi-tls, on",
    "--mpi-ports, 7100:7199",
    "--max-ranks, 4",
    "--gang-timeout, 10s",
    "--gang-patience, 60s"
  })
  void option_for_jobs_does_not_go_with_tasks_only(String option, String value) {
    assertThatThrownBy(() -> command("--roles", "mtc", option, value).call())
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(option + " cannot be combined with --roles mtc");
    assertThat(
            command("--roles", "mtc,hpc", option, value).config(WorkerOrigin.BY_HAND, true).gangs())
        .isNotNull();
    assertThat(command("--roles", "hpc", option, value).config(WorkerOrigin.BY_HAND, true).gangs())
        .isNotNull();
  }

  @Test
  void tasks_are_kept_from_credentials_unless_names_pass_and_bounded_where_asked() {
    RunnerConfig plain = command().config(WorkerOrigin.BY_HAND, true).runner();
    assertThat(plain.start())
        .isEqualTo(new StartRule(InheritedVariables.withoutCredentials(Set.of()), null));
    assertThat(plain.captureBytes()).isEqualTo(256 << 20);
    assertThat(plain.maxTimeoutMillis()).isZero();

    RunnerConfig told =
        command(
                "--env-pass=AWS_A,AWS_B",
                "--env-pass",
                "AWS_C",
                "--max-capture=1MiB",
                "--max-timeout=90s",
                "--mounts=off")
            .config(WorkerOrigin.BY_HAND, true)
            .runner();
    assertThat(told.start().environment().passed())
        .containsExactlyInAnyOrder("AWS_A", "AWS_B", "AWS_C");
    assertThat(told.captureBytes()).isEqualTo(1 << 20);
    assertThat(told.maxTimeoutMillis()).isEqualTo(90_000);
    assertThat(told.mounting()).isEqualTo(Mounting.OFF);
    assertThat(told.shippedFiles()).isNotEqualTo(ShippedFiles.MOUNTED);
  }

  @Test
  void mpi_listens_anywhere_or_on_the_named_ports() {
    assertThat(command().config(WorkerOrigin.BY_HAND, true).runner().mpiPorts()).isNull();
    assertThat(
            command("-t", "8", "--mpi-ports", "7100:7115")
                .config(WorkerOrigin.BY_HAND, true)
                .runner()
                .mpiPorts())
        .isEqualTo(new MpiPorts(7100, 7115));
  }

  @Test
  void ports_of_mpi_are_a_range_with_room_for_every_slot() {
    assertThatThrownBy(() -> command("--mpi-ports", "7199:7100").call())
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--mpi-ports: 7199:7100 is not a range of ports; expected LOW:HIGH within 1 and 65535,"
                + " such as 7100:7199");
    assertThatThrownBy(() -> command("-t", "8", "--mpi-ports", "7100:7114").call())
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--mpi-ports 7100:7114 has 15 ports: expected 16 or more for 8 slots, because each may"
                + " run a rank and an mpiexec; four times as many are better");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--max-capture | 257MiB      | --max-capture 269484032 bytes: expected at most 256MiB",
        "--max-timeout | 0s          | --max-timeout 0s: expected a time longer than 0",
        "--mounts      | maybe       | --mounts maybe: expected auto, on or off",
        "--env-pass    | A=B         | --env-pass 'A=B': expected the name of a variable, as"
            + " AWS_PROFILE",
      })
  void bound_that_bounds_nothing_is_refused(String option, String value, String told) {
    assertThatThrownBy(() -> command(option, value).config(WorkerOrigin.BY_HAND, true))
        .isInstanceOf(UsageException.class)
        .hasMessage(told);
  }

  @Test
  void tasks_only_go_without_them() {
    assertThat(command("--roles", "mtc").config(WorkerOrigin.BY_HAND, true).gangs()).isNull();
  }

  @Test
  void options_for_jobs_have_their_defaults() {
    GangConfig gangs = command().config(WorkerOrigin.BY_HAND, true).gangs();

    assertThat(gangs.rmiAddress()).isNull();
    assertThat(gangs.rmiPort()).isZero();
    assertThat(gangs.rmiTls()).isTrue();
    assertThat(gangs.settings().maxRanks()).isZero();
    assertThat(gangs.settings().gangTimeout()).isEqualTo(GangSettings.GANG_TIMEOUT_MILLIS);
    assertThat(gangs.settings().patience()).isEqualTo(GangSettings.PATIENCE_MILLIS);
  }

  @Test
  void options_for_jobs_are_taken() {
    GangConfig gangs =
        command(
                "--rmi-port=7099",
                "--rmi-tls=off",
                "--max-ranks=4",
                "--gang-timeout=3s",
                "--gang-patience=7s")
            .config(WorkerOrigin.BY_HAND, true)
            .gangs();

    assertThat(gangs.rmiPort()).isEqualTo(7099);
    assertThat(gangs.rmiTls()).isFalse();
    assertThat(gangs.settings().maxRanks()).isEqualTo(4);
    assertThat(gangs.settings().gangTimeout()).isEqualTo(3_000);
    assertThat(gangs.settings().patience()).isEqualTo(7_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--roles | nonsense     | not one of mtc, hpc",
        "--roles | mtc,nonsense | not one of mtc, hpc",
        "--allow | nonsense     | not one of noop, sleep, exec, java, shipped-java"
      })
  void what_may_be_said_is_told_as_it_is_written(String option, String value, String told) {
    assertThatThrownBy(() -> command(option, value))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'nonsense' is " + told);
  }

  @Test
  void case_does_not_count() {
    assertThat(command("--roles", "MTC").roles).containsExactly(WorkerCommand.Role.MTC);
    assertThat(command("--allow", "Exec,noop").allowed)
        .containsExactlyInAnyOrder(AllowedWork.EXEC, AllowedWork.NOOP);
  }

  @Test
  void help_shows_that_lists_are_lists() {
    assertThat(new CommandLine(new WorkerCommand()).getUsageMessage())
        .contains("--roles=ROLE[,ROLE...]", "--allow=KIND[,KIND...]", "Tasks and ranks at a time");
  }
}
