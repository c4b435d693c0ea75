package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EndpointsTest {
  @Test
  void export_lines_are_what_a_shell_can_evaluate() throws Exception {
    Process shell =
        new ProcessBuilder(
                "sh",
                "-c",
                new Endpoints(1234, 5678, 9012).exportLines(AccessKey.random())
                    + "\necho $AWS_ENDPOINT_URL_SQS $AWS_ENDPOINT_URL_DYNAMODB"
                    + " $AWS_ENDPOINT_URL_S3 $AWS_REGION")
            .start();
    assertThat(shell.inputReader().readLine())
        .isEqualTo("http://127.0.0.1:1234 http://127.0.0.1:5678 http://127.0.0.1:9012 us-east-1");
  }

  @Test
  void running_emulator_is_read_back_as_it_was_written() throws IOException {
    RunningEmulator emulator =
        new RunningEmulator(42, new Endpoints(1234, 5678, 9012), AccessKey.random());
    assertThat(RunningEmulator.parse(emulator.format())).contains(emulator);
  }

  @Test
  void running_emulator_cut_short_is_none() throws IOException {
    assertThat(RunningEmulator.parse("pid=42\nsqsPort=1234\ndynamoDbPort=5678\ns3")).isEmpty();
  }
}
