package io.cloudkon.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart of lines and points, over the number of workers on a logarithmic axis or over time. */
public final class Figure {
  private static final int WIDTH = 1000;
  private static final int PLOT_HEIGHT = 420;
  private static final int LEGEND_LINE = 25;
  private static final float LINE = 2.2f;
  private static final int MARKER = 9;

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final boolean logarithmic;
  private final boolean overTime;
  private boolean dense;
  private final List<Series> series = new ArrayList<>();
  private double top = Double.NEGATIVE_INFINITY;

  /** The stroke of a line. */
  public enum Stroke {
    SOLID,
    DASHED,
    DOTTED,
    /** Points only, for published numbers. */
    NONE
  }

  /** Colours that are easy to tell apart, also for most colour-blind people. */
  public enum Hue {
    BLACK(new Color(0x222222)),
    BLUE(new Color(0x0072B2)),
    ORANGE(new Color(0xD55E00)),
    GREEN(new Color(0x009E73)),
    PURPLE(new Color(0xAA4499)),
    GREY(new Color(0x999999));

    private final Color colour;

    Hue(Color colour) {
      this.colour = colour;
    }

    Color colour() {
      return colour;
    }
  }

  private record Series(String name, double[] x, double[] y, Hue hue, Stroke stroke) {}

  /**
   * An empty figure.
   *
   * @param logarithmic whether the y axis is logarithmic; otherwise it begins at 0, or at the least
   *     value if that is less
   */
  public Figure(String title, String xTitle, String yTitle, boolean logarithmic) {
    this(title, xTitle, yTitle, logarithmic, false);
  }

  private Figure(
      String title, String xTitle, String yTitle, boolean logarithmic, boolean overTime) {
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
    this.logarithmic = logarithmic;
    this.overTime = overTime;
  }

  /** A figure with two linear axes, for lines with very many points. */
  public static Figure overTime(String title, String xTitle, String yTitle) {
    return new Figure(title, xTitle, yTitle, false, true);
  }

  /** Adds a line or points, unless there are none. */
  public Figure add(String name, double[] x, double[] y, Hue hue, Stroke stroke) {
    if (x.length > 0) {
      series.add(new Series(name, x, y, hue, stroke));
    }
    return this;
  }

  /** Omits the markers of points on lines, for lines with very many points. */
  public Figure dense() {
    dense = true;
    return this;
  }

  /** Extends the y axis at least to this value. */
  public Figure upTo(double value) {
    top = value;
    return this;
  }

  /** Writes the figure as a PNG. */
  public void write(Path file) throws IOException {
    write(file, List.of(this));
  }

  /** Writes figures one above the other, all as high as the one with the longest legend. */
  public static void write(Path file, List<Figure> figures) throws IOException {
    int legend = figures.stream().mapToInt(figure -> figure.series.size()).max().orElse(0);
    int height = PLOT_HEIGHT + legend * LEGEND_LINE;
    Png.write(file, List.copyOf(figures.stream().map(figure -> figure.chart(height)).toList()));
  }

  private XYChart chart(int height) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(height)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    XYStyler style = chart.getStyler();
    style.setXAxisLogarithmic(!overTime);
    style.setYAxisLogarithmic(logarithmic);
    style.setXAxisLogarithmicDecadeOnly(!overTime);
    style.setYAxisLogarithmicDecadeOnly(true);
    style.setXAxisTickLabelsFormattingFunction(Figure::number);
    style.setYAxisTickLabelsFormattingFunction(Figure::number);
    if (!logarithmic) {
      style.setYAxisMin(Math.min(0, Math.floor(least())));
      if (top > most()) {
        style.setYAxisMax(top);
      }
    }
    dress(style);
    // Points are drawn above lines.
    series.stream().filter(one -> one.stroke() != Stroke.NONE).forEach(one -> draw(chart, one));
    series.stream().filter(one -> one.stroke() == Stroke.NONE).forEach(one -> draw(chart, one));
    return chart;
  }

  private double least() {
    return series.stream().flatMapToDouble(one -> Arrays.stream(one.y())).min().orElse(0);
  }

  private double most() {
    return series.stream().flatMapToDouble(one -> Arrays.stream(one.y())).max().orElse(0);
  }

  /** Sets the style that all charts share. */
  static void dress(Styler style) {
    style.setLegendPosition(Styler.LegendPosition.OutsideS);
    style.setLegendLayout(Styler.LegendLayout.Vertical);
    style.setLegendBorderColor(Color.WHITE);
    style.setLegendSeriesLineLength(48);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBackgroundColor(Color.WHITE);
    style.setPlotBorderColor(Color.LIGHT_GRAY);
    style.setChartTitleBoxVisible(false);
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    style.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    style.setMarkerSize(MARKER);
  }

  private void draw(XYChart chart, Series one) {
    XYSeries drawn = chart.addSeries(one.name(), one.x(), one.y());
    drawn.setLineColor(one.hue().colour());
    drawn.setMarkerColor(one.hue().colour());
    drawn.setLineStyle(stroke(one.stroke()));
    drawn.setMarker(marker(one.stroke()));
    if (one.stroke() == Stroke.NONE) {
      drawn.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    }
  }

  private Marker marker(Stroke stroke) {
    if (overTime || (dense && stroke != Stroke.NONE)) {
      return SeriesMarkers.NONE; // so many that they would hide the line
    }
    return stroke == Stroke.NONE ? SeriesMarkers.DIAMOND : SeriesMarkers.CIRCLE;
  }

  private static BasicStroke stroke(Stroke stroke) {
    float[] dashes =
        switch (stroke) {
          case SOLID, NONE -> new float[] {1, 0};
          case DASHED -> new float[] {9, 5};
          case DOTTED -> new float[] {2, 4};
        };
    return new BasicStroke(LINE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%s", (float) value);
  }
}
