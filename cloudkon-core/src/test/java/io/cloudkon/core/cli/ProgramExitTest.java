package io.cloudkon.core.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramExitTest {
  private static final String QUICK = "-Dcloudkon.quick-exit=true";

  /** Prints without a line's end, and has a hook that only the JVM's own end runs. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(" hook")));
      System.out.print("done");
      if (args[0].equals("sockets")) {
        ProgramExit.usesSockets();
      }
      ProgramExit.exit(7);
    }
  }

  private static String run(String how, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Program.class.getName(), how));
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return out + " " + process.waitFor();
  }

  @Test
  void program_that_used_sockets_ends_at_once_with_its_code_and_all_it_printed() throws Exception {
    assertThat(run("sockets", QUICK)).isEqualTo("done 7");
  }

  @Test
  void program_without_sockets_or_permission_ends_as_any_other() throws Exception {
    assertThat(run("none", QUICK)).isEqualTo("done hook 7");
    assertThat(run("sockets")).isEqualTo("done hook 7");
  }
}
