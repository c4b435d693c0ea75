package io.cloudkon.core.protocol.table;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A table as a Mermaid state diagram. */
public final class Diagram {
  private Diagram() {}

  /** The diagram's text; the same table gives the same text. */
  public static <S extends Enum<S>, T extends Enum<T>> String mermaid(TransitionTable<S, T> table) {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n    [*] --> " + table.start() + "\n");
    Map<String, String> arrows = new LinkedHashMap<>();
    for (TransitionTable.Row<S, T> row : table.rows()) {
      arrows.merge(row.from() + " --> " + row.to(), words(row.trigger()), (a, b) -> a + ", " + b);
    }
    arrows.forEach((arrow, words) ->
        text.append("    ").append(arrow).append(" : ").append(words).append('\n'));
    text.append(
        table.rows().stream()
            .map(TransitionTable.Row::to)
            .filter(table::terminal)
            .distinct()
            .map(state -> "    " + state + " --> [*]\n")
            .collect(Collectors.joining()));
    return text.toString();
  }

  private static String words(Enum<?> trigger) {
    return trigger.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
