package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reasons for which the launcher of a checkout builds a jar again. */
class StaleJarIT {
  private static final Instant BUILT = Instant.now().minus(Duration.ofHours(1));
  private static final String SOURCES = "cloudkon-client/src/main/java/io";

  @TempDir Path folder;
  private BareCheckout checkout;
  private Path source;
  private Path sources;

  @BeforeEach
  void buildByHand() throws Exception {
    checkout = BareCheckout.below(folder);
    checkout.program("mvn", checkout.buildsClient());
    sources = Files.createDirectories(checkout.home().resolve(SOURCES));
    source = Files.createFile(sources.resolve("Some.java"));
    Started built = checkout.start(Map.of(), "sh", "-c", "mvn");
    assertThat(built.exitCode()).as(built.stderr()).isZero();
    for (Path file :
        List.of(source, sources, sources.getParent(), checkout.home().resolve("pom.xml"))) {
      at(BUILT.minusSeconds(10), file);
    }
    at(BUILT.minusSeconds(10), sources.getParent().getParent());
    at(BUILT, checkout.jar("cloudkon-client"));
  }

  private static void at(Instant time, Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  private String said() throws Exception {
    Started started = checkout.cloudkon(Map.of(), "runs", "--help");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).startsWith("Usage: ");
    return started.stderr();
  }

  @Test
  void jar_that_was_built_by_hand_is_taken_as_it_is() throws Exception {
    assertThat(said()).isEmpty();
  }

  @Test
  void source_that_was_saved_after_the_build_began_is_built() throws Exception {
    at(BUILT.plusMillis(1), source);

    assertThat(said())
        .startsWith("cloudkon: building, as " + SOURCES + "/Some.java is newer than the jar; ");
    assertThat(said()).isEmpty();
  }

  @Test
  void removed_source_is_noticed_by_its_folder() throws Exception {
    Files.delete(source);

    assertThat(said()).startsWith("cloudkon: building, as " + SOURCES + " is newer than the jar; ");
    assertThat(said()).isEmpty();
  }

  /** Maven's time has whole milliseconds; that of a file that was written has nanoseconds. */
  @ParameterizedTest
  @CsvSource({
    "cloudkon-client, cloudkon-client",
    "cloudkon-worker, cloudkon-worker",
    "cloudkon-provisioner, cloudkon-provisioner",
    "localstack, cloudkon-local",
    "examples, cloudkon-examples",
    "benchmarks, cloudkon-benchmarks"
  })
  void jar_of_every_program_has_the_time_at_which_its_build_began(String module, String name)
      throws IOException {
    Path jar = Started.HOME.resolve(module).resolve("target").resolve(name + ".jar");

    assertThat(Files.getLastModifiedTime(jar).toInstant().getNano() % 1_000_000).isZero();
  }
}
