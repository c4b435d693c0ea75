package io.cloudkon.examples.readme;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The policies in docs/operations.md: a block of JSON each, between two marks. */
final class PolicyBlocks {
  private static final Pattern BLOCK =
      Pattern.compile("<!-- policy: (\\w+) -->\n+```json\n(.*?)```\n+<!-- end -->", Pattern.DOTALL);
  private static final int WIDTH = 110;

  private PolicyBlocks() {}

  /** A policy as the document shows it. */
  static String json(Object policy) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER));
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
    printer.indentObjectsWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
    try {
      return joined(new ObjectMapper().writer(printer).writeValueAsString(policy)) + "\n";
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** Lists of strings on one line, where they fit. */
  private static String joined(String json) {
    return Pattern.compile("(?m)^.*\\[\n((?: *\"[^\"]*\",?\n)+) *]")
        .matcher(json)
        .replaceAll(list -> {
          String line = list.group().replaceAll("\\[\n *", "[").replaceAll("\n *]", "]");
          line = line.replaceAll(",\n *", ", ");
          return Matcher.quoteReplacement(line.length() <= WIDTH ? line : list.group());
        });
  }

  /** The roles whose policies a document shows, in its order. */
  static List<String> roles(String document) {
    return BLOCK.matcher(document).results().map(block -> block.group(1)).toList();
  }

  /** What a document shows as a role's policy. */
  static String block(String document, String role) {
    return BLOCK
        .matcher(document)
        .results()
        .filter(block -> block.group(1).equals(role))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no <!-- policy: " + role + " -->"))
        .group(2);
  }

  /** The document with other policies. */
  static String with(String document, Map<String, String> policies) {
    return BLOCK
        .matcher(document)
        .replaceAll(block ->
            Matcher.quoteReplacement(
                "<!-- policy: %s -->\n\n```json\n%s```\n\n<!-- end -->"
                    .formatted(
                        block.group(1), policies.getOrDefault(block.group(1), block.group(2)))));
  }
}
