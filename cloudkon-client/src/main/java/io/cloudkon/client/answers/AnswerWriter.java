package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cloudkon.core.cli.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes answers in one of the formats. A task's output is written as text in all of them. */
abstract class AnswerWriter {
  /** The first characters of spreadsheet formulas, including the full-width forms. */
  private static final String FORMULA = "=+-@\t\r\n＝＋－＠";

  private static final Pattern NO_FINITE_NUMBER = Pattern.compile("[-+](?i:inf|infinity|nan)");

  private final Writer out;
  final List<Column> columns;

  AnswerWriter(Writer out, List<Column> columns) {
    this.out = out;
    this.columns = columns;
  }

  /**
   * A writer of this format.
   *
   * @param width the number of characters in a line of the terminal; empty if there is none
   */
  static AnswerWriter of(
      AnswerFormat format, Choice choice, AnswerFacts facts, Writer out, OptionalInt width) {
    List<Column> shown = choice.columnsOrUsual(facts);
    return switch (format) {
      case TABLE -> {
        boolean spare = choice.columns().isEmpty() && facts.areLocal();
        yield new AnswerTable(
            out, shown, width, spare ? Optional.of(Column.WORKER) : Optional.empty());
      }
      case TSV -> new Separated(out, shown, "\t", AnswerWriter::tabbed);
      case CSV -> new Separated(out, shown, ",", AnswerWriter::quoted);
      case JSONL -> new Lines(out, choice.columns());
    };
  }

  abstract void write(Answer answer);

  final void line(String text) {
    try {
      out.write(text);
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes what was held back. */
  void end() {}

  /**
   * Puts an apostrophe before a leading quote, because a spreadsheet would look for the closing
   * quote in the values that follow.
   */
  private static String tabbed(JsonNode value) {
    String text = Printable.line(harmless(value));
    return text.startsWith("\"") ? "'" + text : text;
  }

  private static String quoted(JsonNode value) {
    String text = Printable.text(harmless(value));
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n')
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  /**
   * A column's value; an output is without the line ends at its end, like a shell's {@code $(…)},
   * so that one which is a number is one in a spreadsheet, too.
   */
  private static JsonNode value(Column column, Answer answer) {
    JsonNode value = column.of(answer);
    if (!column.isOutput()) {
      return value;
    }
    String text = value.asText("");
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return TextNode.valueOf(text.substring(0, end));
  }

  /** Puts an apostrophe before text that a spreadsheet would take for a formula. */
  private static String harmless(JsonNode value) {
    String text = value.asText("");
    boolean formula = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 && !isNumber(text);
    return formula ? "'" + text : text;
  }

  private static boolean isNumber(String text) {
    String word = text.strip();
    return NumberText.isFinite(word) || NO_FINITE_NUMBER.matcher(word).matches();
  }

  /** One line per answer, with a separator between the values. */
  private static final class Separated extends AnswerWriter {
    private final String separator;
    private final Function<JsonNode, String> cell;

    Separated(Writer out, List<Column> columns, String separator, Function<JsonNode, String> cell) {
      super(out, columns);
      this.separator = separator;
      this.cell = cell;
      line(columns.stream().map(Column::key).collect(Collectors.joining(separator)));
    }

    @Override
    void write(Answer answer) {
      line(
          columns.stream()
              .map(column -> cell.apply(value(column, answer)))
              .collect(Collectors.joining(separator)));
    }
  }

  /** One JSON object per answer. */
  private static final class Lines extends AnswerWriter {
    private final boolean whole;

    Lines(Writer out, Optional<List<Column>> columns) {
      super(out, columns.orElse(Collections.emptyList()));
      this.whole = columns.isEmpty();
    }

    @Override
    void write(Answer answer) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      if (whole) {
        line.setAll((ObjectNode) answer.line());
        SentTask sent = answer.sent();
        if (!sent.command().isEmpty()) {
          line.put(Column.COMMAND.key(), sent.command());
        }
        if (!sent.values().isEmpty()) {
          sent.values().forEach(line.putArray(Column.VALUES.key())::add);
        }
      } else {
        for (Column column : columns) {
          JsonNode value = column.of(answer);
          if (!value.isMissingNode()) {
            line.set(column.key(), value);
          }
        }
      }
      line(Printable.text(line.toString()));
    }
  }
}
