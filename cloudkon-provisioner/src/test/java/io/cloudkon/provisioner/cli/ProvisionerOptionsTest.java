package io.cloudkon.provisioner.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import io.cloudkon.provisioner.launch.ec2.PurchasePlan;
import io.cloudkon.provisioner.launch.ec2.WantedLaunch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ProvisionerOptionsTest {
  private static ProvisionerCommand parsed(String... arguments) {
    ProvisionerCommand command = new ProvisionerCommand();
    CommandLine line = new CommandLine(command);
    String[] all = new String[arguments.length + 2];
    all[0] = "-s";
    all[1] = "Q";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    assertThat(line.parseArgs(all).errors()).isEmpty();
    return command;
  }

  @Test
  void options_have_the_defaults_that_they_say() {
    ProvisionerCommand command = parsed();

    assertThat(command.launcher).isNull();
    assertThat(command.max).isNull();
    assertThat(command.min).isZero();
    assertThat(command.interval).isEqualTo(Duration.ofSeconds(5));
    assertThat(command.cooldown).isEqualTo(Duration.ZERO);
    assertThat(command.bootTimeout).isEqualTo(Duration.ofMinutes(5));
    assertThat(command.policy.policy()).isEqualTo(new Policy.DrainTime(300_000));
    assertThat(parsed("--policy", "growth").policy.policy()).isEqualTo(new Policy.Growth(0, 1));
    assertThat(command.prices.limit()).isInfinite();
    assertThat(command.prices.of("process")).isZero();
    assertThat(command.workers.slots()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(command.workers.takes()).isEqualTo(WorkerTakes.ALL);
    assertThat(command.workers.command).isNull();
    assertThat(command.workers.idleTimeout).isNull();
    assertThat(command.explain).isFalse();
    assertThat(command.dryRun).isFalse();
    assertThat(command.metricsPort).isNull();
  }

  @Test
  void worker_is_told_what_was_asked_for_and_no_more() {
    assertThat(parsed("--worker-slots", "2").workers.arguments("Q"))
        .containsExactly("-s", "Q", "-t", "2", "--billing-minimum", "0s");
    assertThat(
            parsed(
                    "--worker-slots",
                    "1",
                    "--worker-allow",
                    "sleep,noop",
                    "--worker-roles",
                    "mtc",
                    "--idle-timeout",
                    "90s")
                .workers
                .arguments("Q"))
        .containsExactly(
            "-s",
            "Q",
            "-t",
            "1",
            "--allow",
            "noop,sleep",
            "--roles",
            "mtc",
            "--billing-minimum",
            "0s",
            "--idle-timeout",
            "90s");
  }

  @Test
  void worker_may_be_narrowed_to_handlers_of_either_sort() {
    ProcessOptions own = parsed("--worker-allow", "java").workers;
    ProcessOptions shipped = parsed("--worker-allow", "shipped-java").workers;

    assertThat(own.arguments("Q")).containsSequence("--allow", "java");
    assertThat(shipped.arguments("Q")).containsSequence("--allow", "shipped-java");
    assertThat(own.takes()).isEqualTo(shipped.takes());
    assertThat(own.takes().kinds()).containsExactly(Work.Kind.JAVA);
  }

  @Test
  void price_of_a_process_is_the_one_that_is_given() {
    assertThat(parsed("--price", "process=0.1").prices.of("process")).isEqualTo(0.1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--max-hourly=1",
        "--max-hourly=1 --price=c7i.xlarge=0.17",
        "--max-hourly=1 --price=process=0",
        "--max-hourly=0.2 --price=process=0.5"
      })
  void price_limit_that_limits_nothing_or_allows_nothing_is_refused(String options) {
    PriceOptions prices = parsed(options.split(" ")).prices;

    assertThatThrownBy(() -> prices.checkAllowsOne("process", prices.of("process")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--max-hourly");
  }

  @Test
  void price_limit_in_another_region_needs_the_prices_there() {
    List<String> types = List.of("c7i.large", "m7i.large");
    PriceOptions one = parsed("--max-hourly=3", "--price=m7i.large=0.12").prices;

    assertThatThrownBy(() -> one.checkRegion("eu-central-1", types))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--max-hourly 3.0: the price list is that of us-east-1, and this is eu-central-1; give"
                + " the prices there with --price c7i.large=USD");
    one.checkRegion("us-east-1", types);
    one.checkRegion("eu-central-1", List.of("m7i.large"));
    parsed("--price=m7i.large=0.12").prices.checkRegion("eu-central-1", types);
  }

  @Test
  void price_limit_that_allows_a_worker_is_taken() {
    PriceOptions prices = parsed("--max-hourly=0.5", "--price=process=0.5").prices;

    prices.checkAllowsOne("process", prices.of("process"));

    assertThat(prices.limit()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-s LOCAL --launcher process --max 1 | runs everything in its own process",
        "-s Q --max 1 | missing option --launcher:",
        "-s Q --launcher process | missing option --max:",
        "-s Q --explain --dry-run | exclude each other",
        "-s Q --launcher process --max 1 --interval 99ms | expected 100ms or more"
      })
  void options_that_contradict_each_other_are_refused(String options, String says) {
    ProvisionerCommand command = new ProvisionerCommand();
    assertThat(new CommandLine(command).parseArgs(options.split(" ")).errors()).isEmpty();

    assertThatThrownBy(command::call).isInstanceOf(UsageException.class).hasMessageContaining(says);
  }

  @Test
  void instances_have_the_defaults_that_they_say() {
    WantedLaunch wanted = parsed("--launch-template", "workers").ec2.wanted("Q");

    assertThat(wanted)
        .isEqualTo(
            new WantedLaunch("Q", "workers", "$Default", List.of(), List.of(), PurchasePlan.SPOT));
  }

  @Test
  void instances_are_what_was_asked_for() {
    WantedLaunch wanted =
        parsed(
                "--launch-template",
                "lt-1:latest",
                "--instance-types",
                "c7i.large,m7i.large",
                "--subnets",
                "subnet-1,subnet-2",
                "--purchase",
                "spot-only")
            .ec2
            .wanted("Q");

    assertThat(wanted)
        .isEqualTo(
            new WantedLaunch(
                "Q",
                "lt-1",
                "$Latest",
                List.of("c7i.large", "m7i.large"),
                List.of("subnet-1", "subnet-2"),
                PurchasePlan.SPOT_ONLY));
    assertThat(parsed("--launch-template", "w:3").ec2.wanted("Q").version()).isEqualTo("3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--launch-template=:3",
        "--launch-template=w:",
        "--launch-template=w:0",
        "--launch-template=w:newest",
        "--instance-types=c7i.large --launch-template=",
        "--launch-template=w --instance-types=a,,b",
        "--launch-template=w --subnets=s/1"
      })
  void instances_that_cannot_be_asked_for_are_refused(String options) {
    Ec2Options instances = parsed(options.split(" ")).ec2;

    assertThatThrownBy(() -> instances.wanted("Q")).isInstanceOf(UsageException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--launch-template=w", "--instance-types=a", "--subnets=s", "--purchase=spot"})
  void options_of_instances_are_refused_for_processes(String option) {
    Ec2Options instances = parsed(option).ec2;

    assertThatThrownBy(instances::refuseAll)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("only with --launcher ec2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--worker-command=true", "--idle-timeout=5s", "--logs=here", "--state=here"})
  void options_of_processes_are_refused_for_instances(String option) {
    ProcessOptions workers = parsed(option).workers;

    assertThatThrownBy(workers::checkOnInstances)
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(option.split("=")[0], "only with --launcher process");
  }

  @Test
  void price_may_be_that_of_a_type_that_only_ec2_knows() {
    assertThat(
            parsed("--price", "c9x.huge=2").prices.list(Set.of("c9x.huge")).usdPerHour("c9x.huge"))
        .hasValue(2);
  }

  @Test
  void order_of_the_types_is_told_where_a_price_is_missing() {
    List<String> two = List.of("c7i.large", "c9x.huge");
    Map<String, Double> one = Map.of("c7i.large", 0.09);
    assertThat(Ec2Setup.unpriced(two, one, PurchasePlan.SPOT))
        .hasValue(
            "the price of c9x.huge is not known, so on-demand purchases try types in the order of"
                + " --instance-types; for the cheapest first, give --price c9x.huge=USD")
        .isEqualTo(Ec2Setup.unpriced(two, one, PurchasePlan.ON_DEMAND));
    assertThat(Ec2Setup.unpriced(two, one, PurchasePlan.SPOT_ONLY)).as("EC2 chooses").isEmpty();
    Map<String, Double> all = Map.of("c7i.large", 0.09, "c9x.huge", 1.0);
    assertThat(Ec2Setup.unpriced(two, all, PurchasePlan.SPOT)).isEmpty();
    assertThat(Ec2Setup.unpriced(List.of("c9x.huge"), Map.of(), PurchasePlan.SPOT))
        .as("no choice")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep 1", "A=b exec sleep 1", "/bin/sh -c 'sleep 1'", "cd / && sleep 1"})
  void worker_command_that_the_shell_can_run_is_taken_as_it_stands(String command) {
    assertThat(WorkerCommandLine.checked(command)).isEqualTo(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "no-such-worker",
        "A=b exec no-such-worker",
        "(",
        "if then",
        "/no/such",
        "/tmp",
        "/etc/passwd"
      })
  void worker_command_that_the_shell_cannot_run_is_refused(String command) {
    assertThatThrownBy(() -> WorkerCommandLine.checked(command))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--worker-command");
  }
}
