package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.process.AotCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The AOT caches that an installation makes in the background when a program is first used. */
@Tag("slow")
class FirstUseIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;
  private Unpacked unpacked;

  @BeforeEach
  void unpack() throws Exception {
    unpacked = Unpacked.below(folder);
  }

  @AfterEach
  void forget() {
    System.clearProperty("cloudkon.caches");
  }

  @Test
  void first_use_makes_a_cache_without_a_word_and_the_next_one_takes_it() throws Exception {
    Started first = unpacked.cloudkon("runs", "--last", "none");

    assertThat(first.exitCode()).isEqualTo(2);
    awaitQuiet();
    Path jar = unpacked.home().resolve("lib/cloudkon-client.jar");
    System.setProperty("cloudkon.caches", unpacked.aot().toString());
    String option = AotCache.options(jar).getFirst();
    assertThat(files()).containsExactly(Path.of(option.substring(option.indexOf('=') + 1)));
    Started traced = traced("runs", "--last", "none");
    assertThat(traced.stderr()).contains(option);
  }

  @Test
  void commands_that_call_no_service_have_one_of_their_own() throws Exception {
    Map<String, String> before = unpacked.content();

    Started first = unpacked.cloudkon("runs", "--help");

    assertThat(first.exitCode()).isZero();
    assertThat(first.stderr()).isEmpty();
    awaitQuiet();
    Path jar = unpacked.home().resolve("lib/cloudkon-client.jar");
    assertThat(files()).singleElement().asString().endsWith(".local.aot");
    String option = "-XX:AOTCache=" + files().getFirst();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(unpacked.aot())))
        .isEqualTo("rwx------");
    Started traced = traced("runs", "--help");
    assertThat(traced.stderr()).contains(option);
    assertThat(traced.stdout()).isEqualTo(first.stdout());
    // unlike what programs get, this mode refuses to start without the cache
    Started strict =
        unpacked.start(
            Map.of(),
            List.of(Started.JAVA, option, "-XX:AOTMode=on", "-jar", jar.toString(), "--help"));
    assertThat(strict.exitCode()).as(strict.stderr()).isZero();
    assertThat(unpacked.content()).isEqualTo(before);
  }

  @Test
  void provisioner_has_one_made_of_itself_and_of_the_workers_that_it_starts() throws Exception {
    Started started = unpacked.cloudkon(Map.of(), "provisioner", "-s", "Q");

    assertThat(started.exitCode()).isEqualTo(2); // no --launcher
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(files())
                .hasSize(2)
                .allMatch(file -> file.toString().endsWith(".aot"))
                .anyMatch(file -> file.getFileName().toString().startsWith("cloudkon-worker."))
                .anyMatch(
                    file -> file.getFileName().toString().startsWith("cloudkon-provisioner.")));
  }

  /** A Java that can make none must not be asked for it each time. */
  @Test
  void failure_is_silent_and_tried_three_times_at_most() throws Exception {
    Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
    Path asked = folder.resolve("asked.txt");
    Files.copy(Path.of(System.getProperty("java.home"), "release"), folder.resolve("java/release"));
    Files.writeString(
        java,
        """
        #!/bin/sh
        case "$*" in *AOTCacheOutput*) echo asked >>'%s'; echo no >&2; exit 1 ;; esac
        exec '%s' "$@"
        """
            .formatted(asked, Started.JAVA));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> environment = Map.of("JAVA_HOME", folder.resolve("java").toString());

    for (int use = 1; use <= 5; use++) {
      Started started = unpacked.cloudkon(environment, "runs", "--help");

      assertThat(started.exitCode()).isZero();
      assertThat(started.stderr()).isEmpty();
      int attempts = Math.min(use, 3); // from then on nothing is begun
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> {
            assertThat(asked).exists();
            assertThat(Files.readAllLines(asked)).hasSize(attempts);
          });
      awaitQuiet();
    }

    assertThat(Files.readAllLines(asked)).hasSize(3);
    assertThat(files()).noneMatch(file -> file.toString().endsWith(".aot"));
  }

  @Test
  void nobody_s_folder_switched_off_or_a_user_s_own_options_make_none() throws Exception {
    unpacked.cloudkon(Map.of("CLOUDKON_AOT", "off"), "runs", "--help");
    unpacked.cloudkon(Map.of("JAVA_OPTS", "-Xlog:disable"), "runs", "--help");
    unpacked.cloudkon(Map.of("XDG_CACHE_HOME", "", "HOME", ""), "runs", "--help");

    assertThat(unpacked.caches()).doesNotExist();
  }

  @Test
  void folder_that_cannot_be_made_costs_nothing_but_speed() throws Exception {
    Files.createFile(unpacked.caches());

    Started started = unpacked.cloudkon("runs", "--help");

    assertThat(started.exitCode()).isZero();
    assertThat(started.stderr()).isEmpty();
    assertThat(unpacked.caches()).isEmptyFile();
  }

  private Started traced(String... arguments) throws Exception {
    String launcher = unpacked.home().resolve("bin/cloudkon").toString();
    return unpacked.start(
        Map.of(), Stream.concat(Stream.of("sh", "-x", launcher), Stream.of(arguments)).toList());
  }

  /** Waits until what was begun in the background has ended. */
  private void awaitQuiet() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(files()).isNotEmpty().noneMatch(file -> file.toString().endsWith(".lock")));
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(unpacked.aot())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(unpacked.aot())) {
      return files.toList();
    }
  }
}
