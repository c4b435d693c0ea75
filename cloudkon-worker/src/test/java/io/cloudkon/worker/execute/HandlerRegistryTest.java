package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandlerRegistryTest {
  @TempDir Path jars;

  @Test
  void built_in_handlers_are_found_without_jars() throws IOException {
    try (HandlerRegistry registry = HandlerRegistry.builtIn()) {
      assertThat(registry.names()).containsExactly("echo", "pi", "sha256");
    }
  }

  @Test
  void handlers_of_all_jars_join_the_built_in_ones() throws IOException {
    TestJars.jar(jars.resolve("a.jar"), "One", TestJars.handler("One", "one"));
    TestJars.jar(jars.resolve("b.jar"), "Two", TestJars.handler("Two", "two"));
    TestJars.entries(jars.resolve("library.jar"), "some.txt", new byte[3]);

    try (HandlerRegistry registry = HandlerRegistry.load(jars)) {
      assertThat(registry.names()).containsExactly("echo", "one", "pi", "sha256", "two");
    }
  }

  @Test
  void directory_that_is_missing_or_empty_is_refused() throws IOException {
    refused(jars.resolve("nowhere"), "nowhere", "no such directory");
    refused(jars, "no *.jar");
    TestJars.entries(jars.resolve("library.jar"), "some.txt", new byte[3]);
    refused(jars, "no jar in it names a handler");
  }

  @Test
  void jar_that_is_no_jar_is_named() throws IOException {
    Files.writeString(jars.resolve("broken.jar"), "not a zip");
    refused(jars, "broken.jar", "not a readable jar");
  }

  @Test
  void provider_that_cannot_be_made_is_named_with_its_jar() throws IOException {
    String source =
        TestJars.handler("Bad", "bad")
            .replace(
                "{\n", "{ public Bad() { throw new IllegalStateException(\"no licence\"); }\n");
    TestJars.jar(jars.resolve("bad.jar"), "Bad", source);
    TestJars.jar(jars.resolve("good.jar"), "Good", TestJars.handler("Good", "good"));
    refused(jars, "bad.jar", "Bad", "no licence");
  }

  @Test
  void provider_that_is_not_in_its_jar_is_named_with_its_jar() throws IOException {
    TestJars.entries(
        jars.resolve("hollow.jar"), TestJars.SERVICES, "com.example.Gone # x\n".getBytes(UTF_8));
    refused(jars, "hollow.jar", "com.example.Gone");
  }

  @Test
  void provider_whose_class_file_is_damaged_is_named_with_its_jar() throws IOException {
    TestJars.entries(
        jars.resolve("damaged.jar"),
        "Harm.class",
        new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9},
        TestJars.SERVICES,
        "Harm\n".getBytes(UTF_8));
    refused(jars, "damaged.jar", "Harm");
  }

  @Test
  void list_of_providers_that_cannot_be_read_is_named_with_its_jar() throws IOException {
    TestJars.entries(
        jars.resolve("odd.jar"), TestJars.SERVICES, "not a class name\n".getBytes(UTF_8));
    refused(jars, "odd.jar");
  }

  @Test
  void provider_that_is_no_handler_is_named_with_its_jar() throws IOException {
    TestJars.jar(jars.resolve("other.jar"), "Other", "public class Other {}");
    refused(jars, "other.jar", "Other");
  }

  @Test
  void two_handlers_of_one_name_are_refused_with_both_jars() throws IOException {
    TestJars.jar(jars.resolve("a.jar"), "One", TestJars.handler("One", "same"));
    TestJars.jar(jars.resolve("b.jar"), "Two", TestJars.handler("Two", "same"));
    refused(jars, "'same'", "a.jar", "b.jar");
  }

  @Test
  void name_of_a_built_in_handler_is_taken() throws IOException {
    TestJars.jar(jars.resolve("a.jar"), "Mine", TestJars.handler("Mine", "echo"));
    refused(jars, "'echo'", "built-in", "a.jar");
  }

  @Test
  void name_that_a_workload_cannot_say_is_refused() throws IOException {
    TestJars.jar(jars.resolve("a.jar"), "Mine", TestJars.handler("Mine", "two words"));
    refused(jars, "a.jar", "'two words'");
  }

  @Test
  void shipped_jars_join_the_workers_handlers_for_one_run_only() throws IOException {
    TestJars.jar(jars.resolve("own/a.jar"), "One", TestJars.handler("One", "one"));
    Path folder = jars.resolve("folder");
    TestJars.jar(folder.resolve("b.jar"), "Two", TestJars.handler("Two", "two"));
    TestJars.jar(folder.resolve("deep/c.jar"), "Deep", TestJars.handler("Deep", "deep"));
    Path single = jars.resolve("d.jar");
    TestJars.jar(single, "Four", TestJars.handler("Four", "four"));

    try (HandlerRegistry own = HandlerRegistry.load(jars.resolve("own"));
        HandlerRegistry all = own.with(List.of(folder, single))) {
      assertThat(all.names()).containsExactly("echo", "four", "one", "pi", "sha256", "two");
      assertThat(own.names()).containsExactly("echo", "one", "pi", "sha256");
    }
  }

  @Test
  void what_is_shipped_without_handlers_is_no_mistake() throws IOException {
    TestJars.entries(jars.resolve("tool/library.jar"), "some.txt", new byte[3]);
    Files.writeString(jars.resolve("data.txt"), "data");

    try (HandlerRegistry own = HandlerRegistry.builtIn();
        HandlerRegistry all = own.with(List.of(jars.resolve("tool"), jars.resolve("data.txt")))) {
      assertThat(all.names()).isEqualTo(own.names());
    }
  }

  @Test
  void shipped_handler_whose_name_is_taken_is_refused_with_both_places() throws IOException {
    TestJars.jar(jars.resolve("own/a.jar"), "One", TestJars.handler("One", "same"));
    TestJars.jar(jars.resolve("tool/b.jar"), "Two", TestJars.handler("Two", "same"));

    try (HandlerRegistry own = HandlerRegistry.load(jars.resolve("own"))) {
      assertThatThrownBy(() -> own.with(List.of(jars.resolve("tool"))))
          .isInstanceOf(UsageException.class)
          .hasMessageContainingAll("--ship", "'same'", "--handlers", "Two of tool/b.jar");
    }
  }

  @Test
  void shipped_jar_that_is_no_jar_is_named_as_its_user_knows_it() throws IOException {
    TestJars.write(jars.resolve("tool/broken.jar"), "not a zip");

    try (HandlerRegistry own = HandlerRegistry.builtIn()) {
      assertThatThrownBy(() -> own.with(List.of(jars.resolve("tool"))))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--ship: tool/broken.jar is not a readable jar");
    }
  }

  @Test
  void handlers_for_ranks_come_as_those_for_tasks_do() throws IOException {
    TestJars.rankJar(jars.resolve("own/a.jar"), "Grid", "grid");
    TestJars.rankJar(jars.resolve("tool/b.jar"), "Mesh", "mesh");

    try (HandlerRegistry own = HandlerRegistry.load(jars.resolve("own"));
        HandlerRegistry all = own.with(List.of(jars.resolve("tool")))) {
      assertThat(own.rankNames()).containsExactly("barrier", "grid", "ring");
      assertThat(all.rankNames()).containsExactly("barrier", "grid", "mesh", "ring");
      assertThat(all.names()).containsExactly("echo", "pi", "sha256");
    }
  }

  @Test
  void name_that_the_other_kind_of_handler_has_is_taken() throws IOException {
    TestJars.jar(jars.resolve("a.jar"), "One", TestJars.handler("One", "same"));
    TestJars.rankJar(jars.resolve("b.jar"), "Two", "same");
    refused(jars, "'same'", "One of", "a.jar", "Two of", "b.jar");
  }

  @Test
  void handler_for_ranks_cannot_take_a_built_in_name_of_either_kind() throws IOException {
    TestJars.rankJar(jars.resolve("a/a.jar"), "Mine", "echo");
    refused(jars.resolve("a"), "'echo'", "built-in", "a.jar");
    TestJars.jar(jars.resolve("b/b.jar"), "Mine", TestJars.handler("Mine", "ring"));
    refused(jars.resolve("b"), "'ring'", "built-in", "b.jar");
    TestJars.rankJar(jars.resolve("c/c.jar"), "Mine", "two words");
    refused(jars.resolve("c"), "c.jar", "'two words'");
  }

  private static void refused(Path directory, String... parts) {
    assertThatThrownBy(() -> HandlerRegistry.load(directory))
        .isInstanceOf(UsageException.class)
        .message()
        .contains(parts)
        .doesNotContain("\n");
  }
}
