package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudkon.core.cli.Printable;
import java.io.Writer;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Writes answers as columns side by side. Commands and values are cut in the middle, other text at
 * the end. On a terminal, the widest columns of text are cut until a line fits.
 */
final class AnswerTable extends AnswerWriter {
  /** The number of first rows that determine the column widths. */
  private static final int HELD = 1000;

  private static final int WIDEST = 60;
  private static final int NARROWEST = 8;
  private static final String BETWEEN = "  ";

  private final OptionalInt lineWidth;
  private final Optional<Column> spare;

  /** The places of the columns that are shown. */
  private int[] shown = {};

  private final List<List<String>> held = new ArrayList<>();
  private int[] widths = {};

  /** The width to which a column is cut; {@code Integer.MAX_VALUE} if a line fits without. */
  private int[] limits = {};

  private boolean begun;

  /**
   * A table.
   *
   * @param lineWidth the number of characters in a line of the terminal; empty if there is none
   * @param spare the column to leave out if a line does not fit
   */
  AnswerTable(Writer out, List<Column> columns, OptionalInt lineWidth, Optional<Column> spare) {
    super(out, columns);
    this.lineWidth = lineWidth;
    this.spare = spare;
    held.add(columns.stream().map(Column::key).toList());
  }

  @Override
  void write(Answer answer) {
    List<String> row = columns.stream().map(column -> cell(column, answer)).toList();
    if (begun) {
      print(row);
    } else {
      held.add(row);
      if (held.size() > HELD) {
        end();
      }
    }
  }

  private static String cell(Column column, Answer answer) {
    JsonNode value = column.of(answer);
    return value.isBigDecimal()
        ? value.decimalValue().setScale(3, RoundingMode.HALF_UP).toPlainString()
        : cut(Printable.line(value.asText("").strip()), WIDEST, column.keepsEnd());
  }

  /**
   * Cuts text to a width.
   *
   * @param keepsEnd whether to cut it in the middle
   */
  private static String cut(String text, int width, boolean keepsEnd) {
    if (text.length() <= width) {
      return text;
    }
    int end = keepsEnd ? (width - 1) / 2 : width - 1;
    String head =
        text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    int from = keepsEnd ? text.length() - (width - 1 - end) : text.length();
    boolean splits = from < text.length() && Character.isLowSurrogate(text.charAt(from));
    return head + "…" + text.substring(splits ? from + 1 : from);
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
      shown = places(i -> true);
      lineWidth.ifPresent(this::fit);
      held.forEach(this::print);
      held.clear();
    }
  }

  /** Leaves out a column, or narrows the widest, until a line fits or nothing can be cut. */
  private void fit(int most) {
    if (over(most) > 0) {
      shown = places(i -> spare.isEmpty() || !columns.get(i).equals(spare.get()));
    }
    for (int over = over(most); over > 0; over--) {
      var widest =
          IntStream.of(shown)
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

  /** The number of characters by which a line is too long. */
  private int over(int most) {
    return IntStream.of(shown).map(i -> widths[i]).sum()
        + BETWEEN.length() * (shown.length - 1)
        - most;
  }

  private int[] places(IntPredicate which) {
    return IntStream.range(0, columns.size()).filter(which).toArray();
  }

  private void print(List<String> row) {
    List<String> cells = new ArrayList<>();
    for (int i : shown) {
      String cell = cut(row.get(i), limits[i], columns.get(i).keepsEnd());
      String padding = " ".repeat(Math.max(0, widths[i] - cell.length()));
      cells.add(columns.get(i).isNumber() ? padding + cell : cell + padding);
    }
    line(String.join(BETWEEN, cells).stripTrailing());
  }
}
