package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.FakeEc2;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.SdkSystemSetting;

/** A worker that fails before it has begun, on an instance of its own. */
class WorkerFailureTest {
  private static final String METADATA =
      SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT.property();

  /** The build keeps tests off the metadata service of the machine that they run on. */
  private static final String DISABLED = SdkSystemSetting.AWS_EC2_METADATA_DISABLED.property();

  private final FakeEc2 ec2 = new FakeEc2(new ManualTime());
  private final Ec2Connection connection = new Ec2Connection(ec2);
  private final FakeImds imds = new FakeImds();

  @TempDir java.nio.file.Path folder;

  @BeforeEach
  void start() {
    String own = ec2.start(new Pool("c7i.large", ""), Purchase.SPOT, Map.of()).id();
    imds.set("instance-id", own).set("instance-type", "c7i.large");
    System.setProperty(METADATA, imds.endpoint().toString());
    System.setProperty(DISABLED, "false");
  }

  @AfterEach
  void close() {
    System.clearProperty(METADATA);
    System.clearProperty(DISABLED);
    imds.close();
    connection.close();
    ec2.close();
  }

  private void launched() {
    imds.set("tags/instance/cloudkon:launch", "launch-7");
  }

  private static int worker(String... options) {
    List<String> all = new ArrayList<>(List.of("-s", "Q"));
    all.addAll(List.of(options));
    return Cli.run(new WorkerCommand(), all.toArray(String[]::new));
  }

  @Test
  void bad_options_end_the_instance_that_was_launched_for_it() {
    launched();

    assertThat(worker("-t", "0")).isEqualTo(ExitCodes.USAGE);

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void folder_without_handlers_ends_the_instance() {
    launched();

    assertThat(worker("--handlers", folder.resolve("none").toString())).isEqualTo(ExitCodes.USAGE);

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void port_that_another_has_ends_the_instance() throws Exception {
    launched();
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThat(worker("--metrics-port", "" + taken.getLocalPort())).isEqualTo(ExitCodes.USAGE);
    }

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void instance_that_was_started_by_hand_stays() {
    assertThat(worker("-t", "0")).isEqualTo(ExitCodes.USAGE);

    assertThat(ec2.existing()).isEqualTo(1);
    assertThat(ec2.asked("TerminateInstances")).isEmpty();
  }

  @Test
  void instance_stays_where_only_help_is_asked_for() {
    launched();

    assertThat(worker("--help")).isZero();

    assertThat(ec2.existing()).isEqualTo(1);
  }
}
