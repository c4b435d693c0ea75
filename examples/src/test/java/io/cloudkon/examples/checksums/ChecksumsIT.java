package io.cloudkon.examples.checksums;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumsIT {
  @TempDir private Path folder;
  private ExampleReadme readme;
  private Workspace workspace;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Workspace.has("sha256sum"), "not tried: there is no sha256sum on the PATH");
    readme = ExampleReadme.of("checksums");
    workspace = new Workspace(folder);
  }

  @Test
  void workload_in_json_gives_the_checksum_of_each_task() throws Exception {
    Ended ended = workspace.run(readme.blockWith("files.jsonl")).requireSuccess();

    assertThat(ended.linesAfterReport())
        .containsExactlyInAnyOrder(
            line("LICENSE", file("LICENSE")),
            line("README.md", file("README.md")),
            line("pom.xml", file("pom.xml")),
            line("cloudkon", file("cloudkon")),
            line("client/pom.xml", file("cloudkon-client/pom.xml")),
            line("worker/pom.xml", file("cloudkon-worker/pom.xml")),
            line("all pom.xml", everyPom()),
            line("hello", "hello\n".getBytes(UTF_8)),
            line("with a time limit", file("cloudkon")),
            line("the same by a handler", "hello\n".getBytes(UTF_8)));
  }

  private static String line(String task, byte[] content) throws NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
    return HexFormat.of().formatHex(digest) + "  " + task;
  }

  private static byte[] file(String name) throws IOException {
    return Files.readAllBytes(Workspace.CHECKOUT.resolve(name));
  }

  /** In the order in which a shell puts them. */
  private static byte[] everyPom() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(file("pom.xml"));
    try (Stream<Path> modules = Files.list(Workspace.CHECKOUT)) {
      List<Path> poms =
          modules
              .filter(module -> !module.getFileName().toString().startsWith("."))
              .map(module -> module.resolve("pom.xml"))
              .filter(Files::exists)
              .sorted()
              .toList();
      for (Path pom : poms) {
        all.write(Files.readAllBytes(pom));
      }
    }
    return all.toByteArray();
  }

  @Test
  void every_java_file_has_the_checksum_that_the_tool_finds() throws Exception {
    Ended ended = workspace.run(readme.blockWith("checksums.txt")).requireSuccess();

    assertThat(ended.linesAfterReport()).containsExactly("all agree");
    assertThat(Files.readAllLines(workspace.file("all/results.jsonl")))
        .hasSameSizeAs(Files.readAllLines(workspace.file("checksums.txt")))
        .hasSizeGreaterThan(300);
  }
}
