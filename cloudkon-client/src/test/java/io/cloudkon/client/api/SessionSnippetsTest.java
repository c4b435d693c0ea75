package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
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

  @Test
  void example_of_the_guide_compiles() throws Exception {
    String page = Files.readString(Path.of("../docs/guide/programs.md"));
    int begin = page.indexOf("```java\n") + 8;
    String source =
        """
        import io.cloudkon.client.api.*;
        import java.util.*;
        import java.util.concurrent.*;

        class Guide {
          static void example() {
            %s
          }
        }
        """
            .formatted(page.substring(begin, page.indexOf("```", begin)));
    Path file = Files.writeString(temp.resolve("Guide.java"), source);
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
