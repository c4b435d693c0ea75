package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exported variables of the user, which reach the program as they are. A shell passes on what a
 * script has set where the user exports a variable of that name, so every lower-case word of the
 * launcher is exported here, and the search path of cd, which must not mislead the launcher.
 */
class UserVariablesIT {
  private static final List<String> MODULES =
      List.of(
          "cloudkon-client",
          "cloudkon-worker",
          "cloudkon-provisioner",
          "localstack",
          "examples",
          "benchmarks");

  @TempDir Path folder;
  private BareCheckout checkout;
  private Map<String, String> exported;
  private Path seen;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = BareCheckout.below(folder);
    seen = folder.resolve("seen.txt");
    exported = new HashMap<>();
    Pattern.compile("\\b[a-z][a-z0-9_]*\\b")
        .matcher(Files.readString(checkout.home().resolve("cloudkon")))
        .results()
        .map(MatchResult::group)
        .filter(word -> !word.startsWith("ck_"))
        .forEach(word -> exported.put(word, "the user's " + word));
    exported.put("CDPATH", ".:/usr");
    assertThat(exported).containsKeys("id", "home", "file", "value");
  }

  private Map<String, String> environment() throws IOException {
    Map<String, String> environment = new HashMap<>(exported);
    Path jdk = BareCheckout.jdk(folder.resolve("jdk"), "exec env >'%s'\n".formatted(seen));
    environment.put("JAVA_HOME", jdk.toString());
    return environment;
  }

  private void assertKept(Started started) throws IOException {
    assertThat(started.exitCode()).as(started.stderr()).isZero();
    Map<String, String> kept = new HashMap<>();
    Files.readAllLines(seen).stream()
        .map(line -> line.split("=", 2))
        .filter(line -> exported.containsKey(line[0]))
        .forEach(line -> kept.put(line[0], line[1]));
    assertThat(kept).isEqualTo(exported);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "client -s LOCAL -w tasks.txt",
        "run -- true",
        "status --help",
        "worker -s Q",
        "provisioner -s Q",
        "local",
        "demo",
        "bench all",
        "clinet"
      })
  void command_gets_them(String command) throws Exception {
    for (String module : MODULES) {
      checkout.makeJar(module);
    }

    assertKept(checkout.cloudkon(environment(), command.split(" ")));
  }

  @Test
  void command_that_was_built_first_gets_them() throws Exception {
    checkout.program("mvn", checkout.buildsClient());

    Started started = checkout.cloudkon(environment(), "runs");

    assertThat(started.stderr()).startsWith("cloudkon: building, ");
    assertKept(started);
  }

  @Test
  void installed_command_gets_them() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("installed/bin"));
    Path launcher = Files.copy(checkout.home().resolve("cloudkon"), bin.resolve("cloudkon"));
    Path lib = Files.createDirectory(folder.resolve("installed/lib"));
    Files.writeString(lib.resolve("cloudkon-client.jar"), "a jar");
    Map<String, String> environment = environment();
    environment.put("CLOUDKON_AOT", "");
    environment.put("XDG_CACHE_HOME", folder.resolve("caches").toString());

    assertKept(checkout.start(environment, launcher.toString(), "runs"));
  }
}
