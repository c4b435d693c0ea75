package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.process.AotCache;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The AOT caches that the build makes of its jars, and what becomes of them when a jar changes. */
class AotCacheIT {
  private static final String OPTION = "-XX:AOTCache=";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void build_makes_one_that_the_jvm_takes(String module) throws Exception {
    Path jar = jar(module);
    List<String> options = AotCache.options(jar);

    assertThat(options).first().asString().startsWith(OPTION);
    // unlike what programs get, this mode refuses to start without the cache
    Started started = java(List.of(options.getFirst(), "-XX:AOTMode=on"), jar);

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).contains("Usage:");
  }

  @Test
  void emulator_has_one_and_so_has_its_s3() throws Exception {
    Path emulator = Started.HOME.resolve("localstack/target/cloudkon-local.jar");
    Path s3 = Started.HOME.resolve("localstack/target/lib/cloudkon-local-s3.jar");

    Started help = started(emulator, "--sun-misc-unsafe-memory-access=allow", "--help");
    Started noFolder = started(s3, "-XX:-UsePerfData", folder.resolve("none/s3").toString());

    assertThat(help.stdout()).as(help.stderr()).contains("Usage:");
    assertThat(noFolder.stdout()).as(noFolder.stderr()).startsWith("cloudkon-s3: does not start:");
  }

  /** Shows that C2 may compile what C1 compiled in the recording, which the JVM would pin to C1. */
  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-worker", "cloudkon-provisioner"})
  void one_of_a_program_that_runs_for_days_pins_no_code_to_c1(String module) throws Exception {
    Path jar = jar(module);
    Started started =
        Started.of(
            List.of(
                Started.JAVA,
                AotCache.options(jar).getFirst(),
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+AOTPrintTrainingInfo",
                "-cp",
                jar.toString(),
                "-version"),
            Map.of());

    assertThat(started.stdout())
        .contains("TrainingData Dictionary")
        .doesNotContainPattern("#\\d+L1");
  }

  private static Started started(Path jar, String jvmOption, String argument) throws Exception {
    String cache = AotCache.options(jar).getFirst();
    return Started.of(
        List.of(Started.JAVA, cache, "-XX:AOTMode=on", jvmOption, "-jar", jar.toString(), argument),
        Map.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void no_class_file_is_too_old_for_one(String module) throws IOException {
    try (JarFile jar = new JarFile(jar(module).toFile())) {
      List<String> old = new ArrayList<>();
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            in.skipNBytes(6);
            if (in.readUnsignedShort() < 50) {
              old.add(entry.getName());
            }
          }
        }
      }
      assertThat(old).isEmpty();
    }
  }

  @Test
  void launcher_and_java_look_for_the_same() throws Exception {
    Started started = traced("runs", "-s", "NoSuch", "--last", "none");

    assertThat(started.exitCode()).as(started.stderr()).isEqualTo(2);
    assertThat(started.stderr()).contains(AotCache.options(jar("cloudkon-client")).getFirst());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "client --help",
        "results nowhere",
        "client -s LOCAL -w nowhere",
        "client -w nowhere -s=LOCAL",
        "run -- true"
      })
  void commands_that_call_no_service_have_a_smaller_one(String command) throws Exception {
    Started started = traced(command.split(" "));

    String cache = AotCache.options(jar("cloudkon-client")).getFirst().substring(OPTION.length());
    Path small = Path.of(cache.replaceAll("aot$", "local.aot"));
    assertThat(started.stderr()).contains(OPTION + small);
    assertThat(Files.size(small)).isLessThan(Files.size(Path.of(cache)));
    // unlike what programs get, this mode refuses to start without the cache
    Started strict = java(List.of(OPTION + small, "-XX:AOTMode=on"), jar("cloudkon-client"));
    assertThat(strict.exitCode()).as(strict.stderr()).isZero();
  }

  private static Started traced(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-x", "./cloudkon"));
    command.addAll(List.of(words));
    return Started.of(
        command, Map.of("CLOUDKON_BUILD", "off", "JAVA_HOME", System.getProperty("java.home")));
  }

  @Test
  void jar_of_another_time_size_or_build_has_none() throws IOException {
    Path jar = copy();
    assertThat(AotCache.options(jar)).isNotEmpty();
    FileTime time = Files.getLastModifiedTime(jar);

    Files.setLastModifiedTime(jar, FileTime.from(time.toInstant().plusSeconds(1)));
    assertThat(AotCache.options(jar)).as("another time").isEmpty();

    byte[] bytes = Files.readAllBytes(jar);
    byte[] id = Arrays.copyOfRange(bytes, bytes.length - 16, bytes.length);
    Files.write(jar, new byte[] {'0'}, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(jar, time);
    assertThat(AotCache.options(jar)).as("another size").isEmpty();

    bytes[bytes.length - 1] ^= 1;
    Files.write(jar, bytes);
    Files.setLastModifiedTime(jar, time);
    assertThat(new String(id, StandardCharsets.US_ASCII)).matches("[0-9a-f]{16}");
    assertThat(AotCache.options(jar)).as("another build").isEmpty();
  }

  /** The JVM would run the old classes: it compares nothing of a jar with its cache. */
  @Test
  void rebuild_deletes_it() throws Exception {
    Path jar = copy();

    Started started =
        Started.of(List.of(Started.JAVA, buildTool("FinishJar.java"), jar.toString()), Map.of());

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(jar);
    }
  }

  /** A source that was saved during the build is newer than its jar. */
  @Test
  void finished_jar_has_the_time_at_which_its_build_began() throws Exception {
    Path jar = copy();

    Started started =
        Started.of(
            List.of(
                Started.JAVA,
                buildTool("FinishJar.java"),
                "--begun",
                "2026-01-02T03:04:05.678Z",
                jar.toString()),
            Map.of());

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(Files.getLastModifiedTime(jar))
        .isEqualTo(FileTime.from(Instant.parse("2026-01-02T03:04:05.678Z")));
  }

  @Test
  void missing_or_damaged_one_costs_no_line_on_standard_output() throws Exception {
    Path jar = jar("cloudkon-client");
    List<String> options = new ArrayList<>(AotCache.options(jar));
    Started sound = java(options, jar);
    Path damaged = folder.resolve("damaged.aot");
    Files.writeString(damaged, "no cache");
    Path cut = folder.resolve("cut.aot");
    byte[] whole = Files.readAllBytes(Path.of(options.getFirst().substring(OPTION.length())));
    Files.write(cut, Arrays.copyOf(whole, whole.length / 2));

    for (Path cache : List.of(folder.resolve("missing.aot"), damaged, cut)) {
      options.set(0, OPTION + cache);
      Started started = java(options, jar);

      assertThat(started.exitCode()).as(started.stderr()).isZero();
      assertThat(started.stdout()).as("with " + cache).isEqualTo(sound.stdout());
    }
  }

  /** A copy of the client's jar with its cache, under the name that the copy's cache has. */
  private Path copy() throws IOException {
    Path jar = folder.resolve("cloudkon-client.jar");
    Path built = jar("cloudkon-client");
    Files.copy(built, jar, StandardCopyOption.COPY_ATTRIBUTES);
    Path cache = Path.of(AotCache.options(built).getFirst().substring(OPTION.length()));
    Files.createFile(folder.resolve(cache.getFileName().toString()));
    return jar;
  }

  private static Started java(List<String> options, Path jar) throws Exception {
    List<String> command = new ArrayList<>(List.of(Started.JAVA));
    command.addAll(options);
    command.addAll(List.of("-jar", jar.toString(), "--help"));
    return Started.of(command, Map.of());
  }

  private static String buildTool(String name) {
    return Started.HOME.resolve("build-tools").resolve(name).toString();
  }

  private static Path jar(String module) {
    return Started.HOME.resolve(module).resolve("target").resolve(module + ".jar");
  }
}
