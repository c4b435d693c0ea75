package io.cloudkon.bench.plot;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;

/** A chart of bars in groups, with one bar of each colour in each group. */
public final class Bars {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 600;

  private final CategoryChart chart;
  private final List<String> groups;
  private final List<Color> colours = new ArrayList<>();

  /** A chart without bars. */
  public Bars(String title, String yTitle, List<String> groups) {
    this.groups = List.copyOf(groups);
    chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(yTitle)
            .build();
    CategoryStyler style = chart.getStyler();
    Figure.dress(style);
    style.setAvailableSpaceFill(0.92);
    style.setYAxisMin(0.0);
    style.setLabelsVisible(true);
    style.setDecimalPattern("0.#");
  }

  /**
   * Adds one bar to each group.
   *
   * @param heights the heights by group; null for no bar
   */
  public Bars add(String name, List<@Nullable Double> heights, Figure.Hue hue) {
    chart.addSeries(name, groups, heights);
    colours.add(hue.colour());
    return this;
  }

  /** Writes the chart as a PNG. */
  public void write(Path file) throws IOException {
    chart.getStyler().setSeriesColors(colours.toArray(Color[]::new));
    Png.write(file, List.of(chart));
  }
}
