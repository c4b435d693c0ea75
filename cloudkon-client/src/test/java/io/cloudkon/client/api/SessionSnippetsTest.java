package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SessionSnippetsTest {
  @TempDir Path temp;

  @Test
  void example_does_what_it_says() {
    assertThat(SessionSnippets.example())
        .isEqualTo("42\nfirst FAILED\nsecond SUCCEEDED\nrefused\n");
  }

  /** With the options that the guide gives, and without a warning of the JVM. */
  @Test
  void program_of_the_guide_compiles_and_runs() throws Exception {
    String page = Files.readString(Path.of("../docs/guide/programs.md"));
    int begin = page.indexOf("```java\n") + 8;
    String source = page.substring(begin, page.indexOf("```", begin));
    Path file = Files.writeString(temp.resolve("Ask.java"), source);
    StringWriter said = new StringWriter();
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-proc:none",
                "-d",
                temp.toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                file.toString());
    assertThat(code).as(said.toString()).isZero();

    String option = "--enable-native-access=ALL-UNNAMED";
    assertThat(page).contains("java " + option + " -cp ");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + temp,
                "Ask")
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor()).as(printed).isZero();
    assertThat(printed).startsWith("42\n").doesNotContain("WARNING");
    try (Stream<Path> left = Files.list(temp)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .anyMatch(name -> name.startsWith("cloudkon-"));
    }
  }

  /** With warnings as errors: a link or a snippet that leads nowhere is one. */
  @Test
  void javadoc_of_the_public_package_has_no_faults_and_shows_the_example() throws Exception {
    StringWriter said = new StringWriter();
    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-quiet",
                "-Xdoclint:all,-missing",
                "-Werror",
                "-d",
                temp.toString(),
                "--snippet-path",
                "src/test/java/io/cloudkon/client/api",
                "-classpath",
                System.getProperty("java.class.path"),
                "-sourcepath",
                "src/main/java",
                "io.cloudkon.client.api");
    assertThat(code).as(said.toString()).isZero();
    assertThat(Files.readString(temp.resolve("io/cloudkon/client/api/Session.html")))
        .contains("session.submit(SessionTask.exec(");
  }
}
