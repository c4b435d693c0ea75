package io.cloudkon.bench;

import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The number of SQS and DynamoDB calls of client and workers per task. */
final class CallsFigure implements FigureMeasurement {
  private static final int TASKS = 200;
  private static final double IN_TENS = 1.6;
  private static final double ONE_BY_ONE = 7;
  private static final int[] MILLIS = {0, 16};
  private static final List<Way> WAYS = List.of(Way.DEFAULTS, Way.ORIGINAL);

  /** The points by sleep time and by way. */
  private final List<List<LinePoints>> points = new ArrayList<>();

  private final LinePoints tens = new LinePoints();
  private final LinePoints single = new LinePoints();

  CallsFigure() {
    for (int unused : MILLIS) {
      points.add(WAYS.stream().map(way -> new LinePoints()).toList());
    }
  }

  @Override
  public String name() {
    return "api-calls";
  }

  @Override
  public String what() {
    return "SQS and DynamoDB calls for each task, sleep 0 and sleep 16, 4 worker threads in each"
        + " worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        "200 tasks for each worker process (--tasks), counted by client and workers for the run:"
            + " empty receives, renewals and deletions included.",
        "The least that the original's way takes is one write and, for each ten tasks, a send, a"
            + " receive and a deletion each way: 1.6 calls; one by one it takes 7. Published are 5"
            + " steps of communication, which count no deletions. They are no measurements.");
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    int tasks = cluster.workers() * cluster.setting().tasks(TASKS, 20);
    for (int time = 0; time < MILLIS.length; time++) {
      String line = "sleep " + MILLIS[time];
      for (Way way : WAYS) {
        double calls = cluster.run(way, tasks, i -> line).calls() / tasks;
        points.get(time).get(WAYS.indexOf(way)).add(cluster.workers(), calls);
        cluster
            .setting()
            .say(
                "  %2d workers, %s, %s: %.3f calls per task",
                cluster.workers(), line, way.label(), calls);
      }
    }
    tens.add(cluster.workers(), IN_TENS);
    single.add(cluster.workers(), ONE_BY_ONE);
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) {
    List<FigurePanel> panels = new ArrayList<>();
    for (int time = 0; time < MILLIS.length; time++) {
      List<FigureLine> lines = new ArrayList<>();
      for (Way way : WAYS) {
        lines.add(points.get(time).get(WAYS.indexOf(way)).measured(way));
      }
      lines.add(tens.ceiling("the original's calls, in tens"));
      lines.add(single.ceiling("the original's calls, one by one"));
      lines.add(LinePoints.published("CloudKon, steps of communication", 1, 5, 1024, 5));
      panels.add(
          new FigurePanel(
              "Calls per task, sleep %d".formatted(MILLIS[time]),
              "worker processes",
              "calls per task",
              FigurePanel.YScale.LINEAR,
              lines));
    }
    return panels;
  }
}
