package io.cloudkon.bench.curves;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A table that can be formatted for files. */
final class Table {
  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  Table(List<String> head) {
    this.head = List.copyOf(head);
  }

  void row(List<String> cells) {
    if (cells.size() != head.size()) {
      throw new IllegalArgumentException(
          "a row of %d cells in a table of %d columns".formatted(cells.size(), head.size()));
    }
    rows.add(List.copyOf(cells));
  }

  List<List<String>> rows() {
    return Collections.unmodifiableList(rows);
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    line(text, head);
    text.append(head.stream().map(cell -> "---:").collect(Collectors.joining("|", "|", "|\n")));
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  /** Formats the table as CSV, with numbers without thousands separators. */
  String csv() {
    StringBuilder text = new StringBuilder();
    text.append(String.join(",", head.stream().map(Table::quoted).toList())).append('\n');
    for (List<String> row : rows) {
      text.append(String.join(",", row.stream().map(Table::plain).toList())).append('\n');
    }
    return text.toString();
  }

  private static String plain(String cell) {
    return cell.matches("[0-9,.]+") ? cell.replace(",", "") : quoted(cell);
  }

  private static String quoted(String cell) {
    return cell.indexOf(',') < 0 ? cell : '"' + cell + '"';
  }
}
