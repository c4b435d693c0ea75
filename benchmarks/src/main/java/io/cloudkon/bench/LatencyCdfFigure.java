package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import io.cloudkon.client.report.Stamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The cumulative distribution of a task's time by stage: deliver task, execute and deliver result,
 * each with its parts.
 */
final class LatencyCdfFigure implements FigureMeasurement {
  /** The lower bound of drawn times in milliseconds, because the axis is logarithmic. */
  private static final double LEAST = 0.1;

  /** The calls between a task's submission and its result: two sends, two receives, one write. */
  private static final int BARE_CALLS = 5;

  /** The published grouping. */
  private enum Group {
    DELIVER_TASK("deliver task"),
    EXECUTE("execute"),
    DELIVER_RESULT("deliver result");

    private final String label;

    Group(String label) {
      this.label = label;
    }
  }

  /** A stage, from one stamp, or the later of two, to another. */
  private enum Part {
    SEND(Group.DELIVER_TASK, "send", Hue.BLUE, Stamp.SEND_BEGUN, Stamp.SEND_BEGUN, Stamp.SENT),
    QUEUE(Group.DELIVER_TASK, "queue", Hue.GREEN, Stamp.SENT, Stamp.SENT, Stamp.RECEIVE_BEGUN),
    RECEIVE(
        Group.DELIVER_TASK, "receive", Hue.PURPLE, Stamp.SENT, Stamp.RECEIVE_BEGUN, Stamp.RECEIVED),
    CLAIM(
        Group.EXECUTE, "DynamoDB", Hue.GREEN, Stamp.CLAIM_BEGUN, Stamp.CLAIM_BEGUN, Stamp.CLAIMED),
    WORKER(Group.EXECUTE, "all", Hue.BLUE, Stamp.RECEIVED, Stamp.RECEIVED, Stamp.REPLY_BEGUN),
    REPLY(
        Group.DELIVER_RESULT,
        "send",
        Hue.BLUE,
        Stamp.REPLY_BEGUN,
        Stamp.REPLY_BEGUN,
        Stamp.REPLIED),
    REPLY_QUEUE(
        Group.DELIVER_RESULT,
        "queue",
        Hue.GREEN,
        Stamp.REPLIED,
        Stamp.REPLIED,
        Stamp.COLLECT_BEGUN),
    COLLECT(
        Group.DELIVER_RESULT,
        "receive",
        Hue.PURPLE,
        Stamp.REPLIED,
        Stamp.COLLECT_BEGUN,
        Stamp.COLLECTED);

    private final Group group;
    private final String label;
    private final Hue hue;
    private final Stamp from;
    private final Stamp orFrom;
    private final Stamp to;

    Part(Group group, String label, Hue hue, Stamp from, Stamp orFrom, Stamp to) {
      this.group = group;
      this.label = label;
      this.hue = hue;
      this.from = from;
      this.orFrom = orFrom;
      this.to = to;
    }

    FigureLine line(BatchTimes times) {
      double[] sorted = times.millis(from, orFrom, to);
      LinePoints points = new LinePoints();
      for (int percent = 1; percent <= 100; percent++) {
        int at = Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1);
        points.add(Math.max(LEAST, sorted[at]), percent);
      }
      return points.measured(label, hue);
    }
  }

  private final List<FigurePanel> panels = new ArrayList<>();

  @Override
  public String name() {
    return "latency-cdf";
  }

  @Override
  public String what() {
    return "Cumulative distribution of a task's time by stage, sleep 0, 1 client and 2 worker"
        + " threads for each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        "Each client has one batch of ten tasks under way at a time; 150 tasks for each worker"
            + " process (--tasks), on the fewest of --workers.",
        "Execution is from the worker's having the message to the begin of its reply: the claim,"
            + " the tasks of the same batch before it, and its own run.",
        "A worker or client that waits in a receive has a message before its sender hears that it"
            + " was sent: then queue and receive take no time. Times below 0.1 ms are drawn there.",
        "The ceiling is one bare SDK call: a fifth of the mean of a task's five in sequence.");
  }

  @Override
  public int slots() {
    return BatchTimes.SLOTS;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    if (cluster.workers() == cluster.setting().workers()[0]) {
      BatchTimes unused = cluster.batches(Way.DEFAULTS); // in the order of the figure latency
      for (Way way : List.of(Way.ORIGINAL, Way.DEFAULTS)) {
        BatchTimes times = cluster.batches(way);
        for (Group group : Group.values()) {
          panels.add(panel(cluster, way, times, group));
        }
      }
    }
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) {
    return List.copyOf(panels);
  }

  private static FigurePanel panel(FigureCluster cluster, Way way, BatchTimes times, Group group) {
    List<FigureLine> lines = new ArrayList<>();
    for (Part part : Part.values()) {
      if (part.group == group) {
        FigureLine line = part.line(times);
        lines.add(line);
        cluster
            .setting()
            .say(
                "  %2d workers, %s, %s, %s: median %.1f ms",
                cluster.workers(), way.label(), group.label, part.label, line.points().get(49).x());
      }
    }
    LinePoints bare = new LinePoints();
    bare.add(times.bareMillis() / BARE_CALLS, 0);
    bare.add(times.bareMillis() / BARE_CALLS, 100);
    lines.add(bare.ceiling("one bare SDK call, mean"));
    if (group == Group.EXECUTE) {
      lines.add(LinePoints.published("CloudKon, DynamoDB 8 ms, all 16 ms", 8, 50, 16, 50));
    }
    return new FigurePanel(
        "%s, %s, %d worker %s"
            .formatted(
                group.label,
                way.label(),
                cluster.workers(),
                cluster.workers() == 1 ? "process" : "processes"),
        "ms",
        "% of tasks",
        FigurePanel.YScale.CUMULATIVE,
        lines);
  }
}
