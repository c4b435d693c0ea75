package io.cloudkon.examples.guide;

import io.cloudkon.examples.commands.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fenced blocks of a page in their order. An HTML comment on the line before a block says how
 * it differs from others: {@code <!-- not run: AWS -->}, {@code <!-- needs: mpicc -->}, {@code <!--
 * exit code: 1 -->}, {@code <!-- numbers: exact -->}.
 */
record MarkdownPage(String name, List<Block> blocks) {
  private static final String FENCE = "```";
  private static final Pattern COMMENT =
      Pattern.compile("<!-- (not run|needs|exit code|numbers): (.*) -->");

  /** The page of this name, as seen from the root of the checkout. */
  static MarkdownPage read(String name) throws IOException {
    List<String> lines = Files.readAllLines(Workspace.CHECKOUT.resolve(name));
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        int end = i + 1;
        while (!lines.get(end).equals(FENCE)) {
          end++;
        }
        blocks.add(block(lines, i, end));
        i = end;
      }
    }
    return new MarkdownPage(name, blocks);
  }

  private static Block block(List<String> lines, int start, int end) {
    Matcher comment = COMMENT.matcher(before(lines, start));
    String key = comment.matches() ? comment.group(1) : "";
    Optional<String> value = key.isEmpty() ? Optional.empty() : Optional.of(comment.group(2));
    return new Block(
        start + 1,
        Block.Kind.of(lines.get(start).substring(FENCE.length())),
        String.join("\n", lines.subList(start + 1, end)) + "\n",
        value.filter(_ -> key.equals("not run")),
        value.filter(_ -> key.equals("needs")),
        value.filter(_ -> key.equals("exit code")).map(Integer::parseInt).orElse(0),
        value.filter(_ -> key.equals("numbers")).filter("exact"::equals).isPresent());
  }

  /** The last line before this one that is not blank. */
  private static String before(List<String> lines, int index) {
    for (int i = index - 1; i >= 0; i--) {
      if (!lines.get(i).isBlank()) {
        return lines.get(i);
      }
    }
    return "";
  }
}
