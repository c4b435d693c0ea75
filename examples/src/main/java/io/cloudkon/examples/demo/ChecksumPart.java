package io.cloudkon.examples.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.examples.checksums.ChecksumLines;
import io.cloudkon.examples.checksums.ChecksumTool;
import io.cloudkon.examples.checksums.FileTree;
import io.cloudkon.examples.picture.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The second workload: a command per file of a tree, against one command for all of them. */
final class ChecksumPart {
  private static final int FILES = 240;

  private final ObjectMapper json = new ObjectMapper();
  private final DemoChildren children;
  private final Installation installation;
  private final DemoFleet fleet;
  private final Narrator narrator;

  ChecksumPart(
      DemoChildren children, Installation installation, DemoFleet fleet, Narrator narrator) {
    this.children = children;
    this.installation = installation;
    this.fleet = fleet;
    this.narrator = narrator;
  }

  /**
   * Runs it.
   *
   * @param temporary where the tree and the workload are made
   * @param out where the results go
   */
  void run(Path temporary, Path out) throws InterruptedException {
    ChecksumTool tool = ChecksumTool.find(System.getenv());
    narrator.heading(
        "2. Checksums of a directory tree of %d files: one %s a task, on the workers that are there"
            .formatted(FILES, tool.name()));
    Path tree = temporary.resolve("tree");
    Path workload = temporary.resolve("checksums.jsonl");
    List<String> names;
    try {
      names = FileTree.make(Files.createDirectory(tree), FILES);
      Files.write(workload, lines(tool, tree, names));
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be written to: %s".formatted(temporary, e), e);
    }
    Path results = out.resolve("checksums");
    DemoClient.run(children, installation, workload, results, soFar -> fleet.tell());
    Map<String, String> expected = direct(tool, tree, names);
    Map<String, String> byTasks = byTasks(results.resolve("results.jsonl"));
    long agree = names.stream().filter(name -> same(expected.get(name), byTasks.get(name))).count();
    narrator.heading(
        "%d of %d checksums agree with what %s says when it is run directly."
            .formatted(agree, names.size(), tool.name()));
    if (agree != names.size() || byTasks.size() != names.size()) {
      throw new WrongException("checksums differ; see %s".formatted(results));
    }
  }

  private static boolean same(@Nullable String expected, @Nullable String found) {
    return expected != null && expected.equals(found);
  }

  private List<String> lines(ChecksumTool tool, Path tree, List<String> names) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      lines.add(
          json.writeValueAsString(
              json.createObjectNode()
                  .put("id", name)
                  .put("dir", tree.toString())
                  .set("exec", json.valueToTree(tool.of(List.of(name))))));
    }
    return lines;
  }

  private Map<String, String> direct(ChecksumTool tool, Path tree, List<String> names)
      throws InterruptedException {
    DemoChild direct = children.start(tool.name(), tool.of(names), tree);
    if (direct.awaitEnd() != 0) {
      throw new WrongException("%s failed: %s".formatted(tool.name(), direct.said()));
    }
    return ChecksumLines.parse(direct.output());
  }

  private static Map<String, String> byTasks(Path results) {
    Map<String, String> checksums = new HashMap<>();
    Results.forEach(
        results, line -> checksums.putAll(ChecksumLines.parse(line.path("stdout").asText())));
    return checksums;
  }
}
