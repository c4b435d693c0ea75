package io.cloudkon.examples.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** The indented blocks of an example's README: its commands, and what they print. */
public final class ExampleReadme {
  private static final String INDENT = "    ";

  private final String name;
  private final List<String> blocks = new ArrayList<>();

  private ExampleReadme(String name) {
    this.name = name;
  }

  /** That of the example of this name. */
  public static ExampleReadme of(String example) throws IOException {
    ExampleReadme readme = new ExampleReadme("examples/" + example + "/README.md");
    StringBuilder block = new StringBuilder();
    for (String line : Files.readAllLines(Workspace.CHECKOUT.resolve(readme.name))) {
      if (line.startsWith(INDENT)) {
        block.append(line.substring(INDENT.length())).append('\n');
      } else {
        readme.end(block);
      }
    }
    readme.end(block);
    return readme;
  }

  private void end(StringBuilder block) {
    if (!block.isEmpty()) {
      blocks.add(block.toString());
      block.setLength(0);
    }
  }

  /** The one block that holds this text; each of its lines ends with a line end. */
  public String blockWith(String text) {
    List<String> found = blocks.stream().filter(block -> block.contains(text)).toList();
    if (found.size() != 1) {
      throw new AssertionError(
          "%s has %d blocks with: %s; expected one".formatted(name, found.size(), text));
    }
    return found.getFirst();
  }
}
