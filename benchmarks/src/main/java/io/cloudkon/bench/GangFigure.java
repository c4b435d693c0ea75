package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** HPC jobs per second: 4, 8 and 16 no-op ranks, 4 worker threads in each process. */
final class GangFigure implements FigureMeasurement {
  private static final int JOBS = 100;

  /** A number of ranks per job, each with a line of its own. */
  private enum Size {
    RANKS_4(4, Hue.BLUE),
    RANKS_8(8, Hue.GREEN),
    RANKS_16(16, Hue.ORANGE);

    private final int ranks;
    private final Hue hue;

    Size(int ranks, Hue hue) {
      this.ranks = ranks;
      this.hue = hue;
    }
  }

  private final Map<Size, LinePoints> points = new EnumMap<>(Size.class);
  private final LinePoints bare = new LinePoints();

  @Override
  public String name() {
    return "hpc-throughput";
  }

  @Override
  public String what() {
    return "HPC jobs per second, 4, 8 and 16 no-op ranks, 4 worker threads in each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        "100 jobs for each size and number of ranks (--tasks), after a quarter as many to warm up;"
            + " a job needs as many worker processes as hold its ranks. `bench gangs` measures the"
            + " same warm, with 4,000 jobs for each worker.",
        "The ceiling is the bare SDK calls that no job can do without, by 4, 8 and 16 callers of a"
            + " warm process, four batches of ten for each caller at least, of which the best"
            + " counts.",
        "Published are up to 205 jobs/s; ranks and instances of that point are not stated. HPC jobs"
            + " are not simulated as a figure.");
  }

  @Override
  public boolean original(FigureOptions options) {
    return !options.defaultsOnly;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    int jobs = cluster.setting().tasks(JOBS, 20);
    for (Size size : Size.values()) {
      if (size.ranks <= cluster.slots()) {
        String line = GangsBenchmark.line(size.ranks);
        double rate = cluster.warmRun(Way.DEFAULTS, jobs, i -> line).tasksPerSecond();
        points.computeIfAbsent(size, any -> new LinePoints()).add(cluster.workers(), rate);
        cluster
            .setting()
            .say(
                "  %2d workers, jobs of %2d ranks: %.1f jobs/s",
                cluster.workers(), size.ranks, rate);
      }
    }
    double calls = 0;
    for (int callers : RawJobs.CALLERS) {
      calls = Math.max(calls, cluster.bareCalls(RawJobs.load(jobs / 2, callers)));
    }
    bare.add(cluster.workers(), calls);
    cluster.setting().say("              bare calls of a job: %.1f jobs/s", calls);
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) {
    List<FigureLine> lines = new ArrayList<>();
    points.forEach(
        (size, line) -> lines.add(line.measured("%d ranks".formatted(size.ranks), size.hue)));
    lines.add(bare.ceiling("bare SDK calls of a job"));
    lines.add(LinePoints.published("CloudKon, at most (ranks and instances not stated)", 1, 205));
    return List.of(
        new FigurePanel(
            "HPC jobs per second", "worker processes", "jobs/s", FigurePanel.YScale.LINEAR, lines));
  }
}
