package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import java.util.List;

/** A way of running tasks; figures compare them. */
enum Way {
  /** Exactly-once, adaptive bundles. */
  DEFAULTS("defaults", Hue.BLUE, List.of()),
  /** Likewise, without claims. */
  DEFAULTS_WITHOUT_CLAIMS(
      "defaults, at-least-once", Hue.GREEN, List.of("--consistency", "at-least-once")),
  /** As published. */
  ORIGINAL("preset original", Hue.ORANGE, List.of("--preset", "original")),
  /** As published, without the control of duplicates. */
  ORIGINAL_WITHOUT_CLAIMS(
      "preset original, at-least-once",
      Hue.PURPLE,
      List.of("--preset", "original", "--consistency", "at-least-once"));

  private final String label;
  private final Hue hue;
  private final List<String> options;

  Way(String label, Hue hue, List<String> options) {
    this.label = label;
    this.hue = hue;
    this.options = options;
  }

  /** These lines of a figure, except those in the colour of the preset. */
  static List<FigureLine> withoutOriginal(List<FigureLine> lines) {
    return lines.stream().filter(line -> line.hue() != ORIGINAL.hue).toList();
  }

  String label() {
    return label;
  }

  Hue hue() {
    return hue;
  }

  /** The options of the client. */
  List<String> options() {
    return options;
  }
}
