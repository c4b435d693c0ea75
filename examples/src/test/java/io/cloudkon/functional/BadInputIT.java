package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person may get wrong: one clear line, the exit code for it, and nothing sent. */
class BadInputIT {
  private static final int USAGE = 2;
  private static final int SERVICE = 3;

  /** The service's check has 5 s; the start of the JVM is not its business. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final TestCluster CLUSTER = new TestCluster();

  @TempDir private static Path files;
  @TempDir private Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    Files.writeString(files.resolve("good.txt"), "noop\n");
    Files.writeString(files.resolve("empty.txt"), "");
    Files.createDirectory(files.resolve("directory"));
    Files.writeString(Files.createDirectory(files.resolve("existing")).resolve("mine"), "");
    Files.write(files.resolve("binary.txt"), new byte[] {'n', 0, 1, (byte) 0xff, (byte) 0xfe, 2});
    Files.writeString(files.resolve("kind.txt"), "noop\nslep 5\n");
    Files.writeString(files.resolve("negative.txt"), "noop\nnoop\nsleep -5\n");
    Files.writeString(files.resolve("letters.txt"), "sleep abc\n");
    // a quarter of what a line may have, and more than a client of 192 MiB can hold
    Files.writeString(files.resolve("long.txt"), "exec echo " + "x".repeat(64 << 20) + "\n");
    Files.writeString(files.resolve("hpc.txt"), "noop\nhpc 0 noop\n");
    Files.writeString(files.resolve("below.txt"), "hpc -1 noop\n");
    Files.writeString(files.resolve("many.txt"), "hpc 4 noop\nhpc 4097 noop\n");
    Files.writeString(files.resolve("mpi.txt"), "mpi 0 ./a.out\n");
    Files.writeString(files.resolve("field.jsonl"), "{\"sleep\": 1}\n{\"slep\": 1}\n");
    Files.writeString(
        files.resolve("repeated.jsonl"),
        "{\"id\":\"a\",\"sleep\":1}\n{\"id\":\"a\",\"sleep\":1}\n");
    Files.writeString(files.resolve("unknown.properties"), "bundel = 7\n");
  }

  @AfterAll
  static void close() {
    CLUSTER.close();
  }

  /** A workload that cannot be used, and what the line about it says. */
  private record BadFile(String name, String... says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<BadFile> badFiles() {
    return Stream.of(
        new BadFile("missing.txt", "missing.txt", "no such file"),
        new BadFile("empty.txt", "empty.txt", "no task"),
        new BadFile("directory", "directory"),
        new BadFile("binary.txt", "binary.txt"),
        new BadFile("kind.txt", "kind.txt:2", "slep", "sleep"),
        new BadFile("negative.txt", "negative.txt:3", "-5"),
        new BadFile("letters.txt", "letters.txt:1", "abc"),
        new BadFile("long.txt", "long.txt:1", "the line needs more memory", "expected less"),
        new BadFile("hpc.txt", "hpc.txt:2", "\"0\"", "1 to 4096"),
        new BadFile("below.txt", "below.txt:1", "\"-1\"", "1 to 4096"),
        new BadFile("many.txt", "many.txt:2", "\"4097\"", "1 to 4096"),
        new BadFile("mpi.txt", "mpi.txt:1", "\"0\"", "mpi 4 ./solver"),
        new BadFile("field.jsonl", "field.jsonl:2", "slep"),
        new BadFile("repeated.jsonl", "repeated.jsonl:2", "a"));
  }

  @ParameterizedTest
  @MethodSource("badFiles")
  void workload_that_cannot_be_used_is_refused_in_one_line(BadFile file) throws Exception {
    Running client = client(CLUSTER.environment(), "-w", files.resolve(file.name()).toString());

    assertRefused(client, USAGE, file.says());
  }

  static Stream<List<String>> badOptions() {
    return Stream.of(
        List.of("--bundel", "7"),
        List.of("-t", "0"),
        List.of("--bundle", "0"),
        List.of("--consistency", "twice"),
        List.of("--out", files.resolve("existing").toString()),
        List.of("--config", files.resolve("unknown.properties").toString()),
        List.of("--config", files.resolve("missing.properties").toString()));
  }

  @ParameterizedTest
  @MethodSource("badOptions")
  void option_that_cannot_be_used_is_refused_in_one_line(List<String> options) throws Exception {
    List<String> all = new ArrayList<>(List.of("-w", files.resolve("good.txt").toString()));
    all.addAll(options);
    Running client = client(CLUSTER.environment(), all.toArray(String[]::new));

    String said = Path.of(options.getLast()).getFileName().toString();
    assertRefused(client, USAGE, options.contains("--bundel") ? "--bundle" : said);
  }

  @Test
  void unknown_key_in_the_environment_is_refused_in_one_line() throws Exception {
    Map<String, String> environment = new HashMap<>(CLUSTER.environment());
    environment.put("CLOUDKON_OPT_BUNDEL", "7");

    assertRefused(client(environment, "-w", good()), USAGE, "CLOUDKON_OPT_BUNDEL");
  }

  @Test
  void standard_input_with_a_bad_line_sends_nothing() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "noop\nbad\n");
    List<String> command =
        List.of(
            Processes.JAVA.toString(),
            "-XX:TieredStopAtLevel=1",
            "-jar",
            Processes.jar("cloudkon-client").toString(),
            "-s",
            CLUSTER.name(),
            "-w",
            "-");
    Running client = Processes.start(command, input, CLUSTER.environment(), folder);

    assertRefused(client, USAGE, "<stdin>:2", "bad");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void queue_that_does_not_exist_is_named_with_the_way_to_create_it(String module)
      throws Exception {
    Running command = command(module, "no-such-queue", CLUSTER.environment());

    assertRefused(command, SERVICE, "no-such-queue", "setup");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void missing_credentials_are_named(String module) throws Exception {
    Map<String, String> environment = homeless();
    environment.keySet().removeIf(name -> name.contains("KEY"));

    assertRefused(command(module, CLUSTER.name(), environment), USAGE, "AWS_ACCESS_KEY_ID");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void missing_region_is_named(String module) throws Exception {
    Map<String, String> environment = homeless();
    environment.remove("AWS_REGION");

    assertRefused(command(module, CLUSTER.name(), environment), USAGE, "AWS_REGION");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void endpoint_that_refuses_is_named(String module) throws Exception {
    Map<String, String> environment = new HashMap<>(CLUSTER.environment());
    environment.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1");

    assertRefused(command(module, CLUSTER.name(), environment), SERVICE, "127.0.0.1:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void plain_http_that_is_not_loopback_is_refused(String module) throws Exception {
    Map<String, String> environment = new HashMap<>(CLUSTER.environment());
    environment.put("AWS_ENDPOINT_URL_SQS", "http://sqs.example.com");

    assertRefused(
        command(module, CLUSTER.name(), environment),
        USAGE,
        "http://sqs.example.com",
        "--insecure-endpoint");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker"})
  void jar_started_by_an_older_java_says_which_it_needs(String module) throws Exception {
    List<Path> older = OlderJava.found();
    assumeThat(older).as("javas older than 25 on this machine").isNotEmpty();
    List<String> command =
        List.of(older.getFirst().toString(), "-jar", Processes.jar(module).toString(), "-s", "Q");

    assertRefused(
        Processes.start(command, Path.of("/dev/null"), Map.of(), folder),
        USAGE,
        "needs Java 25 or newer");
  }

  /** All that points at the emulator, and no home in which the SDK would find more. */
  private Map<String, String> homeless() {
    Map<String, String> environment = new HashMap<>(CLUSTER.environment());
    environment.put("HOME", folder.toString());
    environment.put("AWS_CONFIG_FILE", folder.resolve("none").toString());
    environment.put("AWS_SHARED_CREDENTIALS_FILE", folder.resolve("none").toString());
    return environment;
  }

  private String good() {
    return files.resolve("good.txt").toString();
  }

  private Running command(String module, String queue, Map<String, String> environment) {
    List<String> arguments = new ArrayList<>(List.of("-s", queue));
    if (module.equals("cloudkon-client")) {
      arguments.addAll(List.of("-w", good()));
    }
    return Processes.start(module, List.of(), arguments, environment, folder);
  }

  private Running client(Map<String, String> environment, String... options) {
    List<String> arguments = new ArrayList<>(List.of("-s", CLUSTER.name()));
    arguments.addAll(List.of(options));
    return Processes.start("cloudkon-client", List.of(), arguments, environment, folder);
  }

  private static void assertRefused(Running command, int exitCode, String... says)
      throws InterruptedException {
    try (command) {
      int code = command.awaitExit(LIMIT);
      assertThat(command.stderr().lines()).singleElement().asString().contains(says);
      assertThat(code).isEqualTo(exitCode);
      assertThat(command.stdout()).isEmpty();
      assertThat(CLUSTER.messages()).isZero();
      assertThat(CLUSTER.responseQueues()).isEmpty();
    }
  }
}
