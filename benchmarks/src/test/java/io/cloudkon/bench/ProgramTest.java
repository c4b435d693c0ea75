package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
  private static final String WHOLE = "the first line";
  private static final String HALF = "half of ";

  @TempDir Path folder;

  @Test
  void line_that_is_half_written_is_none_yet() throws IOException, InterruptedException {
    try (Program program =
        Program.start(
            "talker",
            folder,
            Map.of("JAVA_TOOL_OPTIONS", "-Duser.option=1"), // of which the JVM tells
            List.of(),
            List.of(),
            Optional.empty(),
            Talker.class.getName(),
            List.of())) {
      await().until(() -> program.output().endsWith(HALF));
      assertThat(program.lines()).containsExactly(WHOLE);

      program.tell("the second");

      assertThat(program.end().lines()).containsExactly(WHOLE, HALF + "the second");
      assertThat(program.await(HALF, 1)).isEqualTo("the second");
      assertThatThrownBy(() -> program.await(HALF, 2))
          .isInstanceOf(CloudKonException.class)
          .hasMessageStartingWith("talker ended early; expected another line 'half of …'");
    }
  }

  @Test
  void program_gets_no_option_and_no_aws_account_of_the_user() throws Exception {
    Process process =
        BenchProcesses.start(
            new ProcessBuilder("/bin/sh", "-c", "env | grep -E '^(AWS|CLOUDKON_OPT)_'")
                .redirectErrorStream(true),
            Map.of("AWS_REGION", "us-east-1"));
    assertThat(process.inputReader().lines())
        .containsExactlyInAnyOrder("AWS_EC2_METADATA_DISABLED=true", "AWS_REGION=us-east-1");
  }

  /** Prints a line and a half; the rest is what it reads. */
  static final class Talker {
    private Talker() {}

    public static void main(String[] args) {
      System.out.println(WHOLE);
      System.out.print(HALF);
      System.out.flush();
      System.out.println(new Scanner(System.in, StandardCharsets.UTF_8).nextLine());
    }
  }
}
