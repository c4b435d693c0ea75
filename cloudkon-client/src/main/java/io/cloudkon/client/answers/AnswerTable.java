package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.cli.Printable;
import java.io.Writer;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Writes answers as columns side by side. On a terminal, the widest columns of text are cut until a
 * line fits.
 */
final class AnswerTable extends AnswerWriter {
  /** The number of first rows that determine the column widths. */
  private static final int HELD = 1000;

  private static final int WIDEST = 60;
  private static final int NARROWEST = 8;
  private static final String BETWEEN = "  ";

  private final OptionalInt lineWidth;
  private final List<List<String>> held = new ArrayList<>();
  private int[] widths = {};

  /** The width to which a column is cut; {@code Integer.MAX_VALUE} if a line fits without. */
  private int[] limits = {};

  private boolean begun;

  AnswerTable(Writer out, List<Column> columns, OptionalInt lineWidth) {
    super(out, columns);
    this.lineWidth = lineWidth;
    held.add(columns.stream().map(Column::key).toList());
  }

  @Override
  void write(Answer answer) {
    List<String> row = columns.stream().map(column -> cell(column.of(answer))).toList();
    if (begun) {
      print(row);
    } else {
      held.add(row);
      if (held.size() > HELD) {
        end();
      }
    }
  }

  private static String cell(JsonNode value) {
    return value.isBigDecimal()
        ? value.decimalValue().setScale(3, RoundingMode.HALF_UP).toPlainString()
        : cut(Printable.line(value.asText("").strip()), WIDEST);
  }

  private static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    int end = width - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  @Override
  void end() {
    if (!begun) {
      begun = true;
      widths =
          IntStream.range(0, columns.size())
              .map(i -> held.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
              .toArray();
      limits = new int[widths.length];
      Arrays.fill(limits, Integer.MAX_VALUE);
      lineWidth.ifPresent(this::fit);
      held.forEach(this::print);
      held.clear();
    }
  }

  /** Narrows the widest columns until a line fits, or nothing can be cut any more. */
  private void fit(int most) {
    int over = IntStream.of(widths).sum() + BETWEEN.length() * (widths.length - 1) - most;
    for (; over > 0; over--) {
      var widest =
          IntStream.range(0, widths.length)
              .filter(i -> columns.get(i).mayBeCut() && widths[i] > NARROWEST)
              .boxed()
              .max(Comparator.comparingInt(i -> widths[i]));
      if (widest.isEmpty()) {
        return;
      }
      int column = widest.get();
      widths[column]--;
      limits[column] = widths[column];
    }
  }

  private void print(List<String> row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      String cell = cut(row.get(i), limits[i]);
      String padding = " ".repeat(Math.max(0, widths[i] - cell.length()));
      cells.add(columns.get(i).isNumber() ? padding + cell : cell + padding);
    }
    line(String.join(BETWEEN, cells).stripTrailing());
  }
}
