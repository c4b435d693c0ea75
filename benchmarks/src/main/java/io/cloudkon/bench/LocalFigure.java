package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The figure of a queue in the client's own process, with 1 to 16 worker threads. */
final class LocalFigure {
  private static final int ROUNDS = 3;
  private static final int FEW = 10_000;
  private static final int MORE = 10;
  private static final int MOST = 5_000_000;
  private static final int TASKS_OF_10_MS = 200;
  private static final int MILLIS = 10;

  private static final String WHAT =
      "Tasks per second and efficiency in one process (-s LOCAL), sleep 0, sleep 10, and noop with"
          + " and without result files";

  private static final List<String> NOTES =
      List.of(
          "x is worker threads, as published; there are no worker processes, and no calls whose"
              + " ceiling or latency could count.",
          "sleep 0: the median of three runs of 10,000 and of 100,000 tasks (--tasks sets the"
              + " first; the other has ten times as many, at most 5,000,000), after one to warm up;"
              + " from the first task put into the queue to the last result. sleep 10: 200 tasks"
              + " for each thread, published 10,000.",
          LocalFiles.NOTE);

  private static final List<FigureLine> PUBLISHED_RATES =
      List.of(
          LinePoints.published(
              "a clone (t2.micro), 10,000 tasks",
              1,
              79_414,
              2,
              71_113,
              4,
              65_290,
              8,
              67_864,
              16,
              68_220),
          LinePoints.published(
              "a clone (t2.micro), 100,000 tasks",
              1,
              221_079,
              2,
              137_769,
              4,
              135_504,
              8,
              137_222,
              16,
              133_311));

  private LocalFigure() {}

  /** Measures the figure and writes it to the folder of results. */
  static void run(Setting setting) throws IOException, InterruptedException {
    new FigureFiles(setting).write("local", WHAT, measure(setting), NOTES);
  }

  private static List<FigurePanel> measure(Setting setting)
      throws IOException, InterruptedException {
    LinePoints few = new LinePoints();
    LinePoints many = new LinePoints();
    LinePoints efficiency = new LinePoints();
    LocalFiles files = new LocalFiles();
    int fewTasks = setting.tasks(FEW, 1_000);
    int manyTasks = Math.max(fewTasks, (int) Math.min(MOST, (long) MORE * fewTasks));
    int sleeps = setting.quick() || setting.asked().isPresent() ? 10 : TASKS_OF_10_MS;
    for (int threads : setting.workers()) {
      double fewRate = rate(setting, threads, fewTasks);
      double manyRate = manyTasks == fewTasks ? fewRate : rate(setting, threads, manyTasks);
      double percent = 100 * MILLIS * sleeps / 1000.0 / seconds(setting, threads, sleeps * threads);
      few.add(threads, fewRate);
      many.add(threads, manyRate);
      efficiency.add(threads, percent);
      setting.say(
          "  %2d threads: %,d tasks %,.0f/s, %,d tasks %,.0f/s; sleep 10: %.2f %%",
          threads, fewTasks, fewRate, manyTasks, manyRate, percent);
      files.measure(setting, threads);
    }
    List<FigureLine> lines = new ArrayList<>();
    lines.add(few.measured("%,d tasks".formatted(fewTasks), Hue.BLUE));
    if (manyTasks > fewTasks) {
      lines.add(many.measured("%,d tasks".formatted(manyTasks), Hue.GREEN));
    }
    lines.addAll(PUBLISHED_RATES);
    return List.of(
        new FigurePanel(
            "LOCAL, sleep 0", "worker threads", "tasks/s", FigurePanel.YScale.LOGARITHMIC, lines),
        new FigurePanel(
            "LOCAL, tasks of 10 ms",
            "worker threads",
            "efficiency in %",
            FigurePanel.YScale.PERCENT,
            List.of(
                efficiency.measured(Way.DEFAULTS),
                LinePoints.published(
                    "a clone (t2.micro)", 1, 98.35, 2, 97.96, 4, 97.56, 8, 97.08, 16, 97.03))),
        files.panel());
  }

  private static double rate(Setting setting, int threads, int tasks)
      throws IOException, InterruptedException {
    Path workload = Workloads.lines(setting, "local.txt", tasks, i -> "sleep 0");
    double unused = LocalBenchmark.once(workload.toString(), tasks, threads);
    double[] rates = new double[setting.quick() ? 1 : ROUNDS];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = tasks / LocalBenchmark.once(workload.toString(), tasks, threads);
    }
    return LonelyLoop.median(rates);
  }

  private static double seconds(Setting setting, int threads, int tasks)
      throws IOException, InterruptedException {
    Path workload = Workloads.lines(setting, "local.txt", tasks, i -> "sleep " + MILLIS);
    return LocalBenchmark.once(workload.toString(), tasks, threads);
  }
}
