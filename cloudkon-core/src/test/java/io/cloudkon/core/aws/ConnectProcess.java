package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@link ConnectMain} in a process of its own, with no AWS settings but those that it is given. */
final class ConnectProcess {
  private ConnectProcess() {}

  /** How it ended. */
  record Outcome(int exitCode, String error) {}

  /** The variables that lead it to the emulator. */
  static Map<String, String> emulator() {
    return new HashMap<>(Emulated.environment());
  }

  /** Starts it with that home folder, and waits for its end. */
  static Outcome start(Path home, Map<String, String> environment, String... args)
      throws Exception {
    Path error = home.resolve("stderr");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // the SDK looks for its files below the home folder, and finds none there
    command.addAll(List.of("-Duser.home=" + home, "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(ConnectMain.class.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(error.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(AWS|CLOUDKON)_.*"));
    builder.environment().put("HOME", home.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      // the promise is 5 s, and 20 s for silence; a JVM on a busy machine needs some to start
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(error, UTF_8));
  }
}
