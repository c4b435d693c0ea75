package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A benchmark that measures a published figure and writes it to the folder of results. */
final class FigureBenchmark implements Benchmark {
  private static final List<String> ALWAYS =
      List.of(
          "Client, workers and emulator share the machine's processors; from as many worker"
              + " processes on as it has processors, they are what is short. Emulator, client and"
              + " workers are warm: each cluster first runs as many sleep 0 as mtc-throughput.",
          "One client process serves all workers, with 2 threads for each worker (at most 16); it"
              + " stays for all runs on a cluster. Times are from the first send to the last"
              + " result.");

  private final Supplier<FigureMeasurement> figure;

  FigureBenchmark(Supplier<FigureMeasurement> figure) {
    this.figure = figure;
  }

  @Override
  public String name() {
    return figure.get().name();
  }

  @Override
  public String what() {
    return figure.get().what();
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    runAll(List.of(this), setting);
  }

  /**
   * Measures several figures in turns on the same clusters, if they need the same number of slots.
   */
  static void runAll(List<FigureBenchmark> benchmarks, Setting setting)
      throws IOException, InterruptedException {
    List<FigureMeasurement> all =
        benchmarks.stream().map(benchmark -> benchmark.figure.get()).toList();
    for (int slots : all.stream().mapToInt(FigureMeasurement::slots).distinct().toArray()) {
      List<FigureMeasurement> figures =
          all.stream().filter(figure -> figure.slots() == slots).toList();
      boolean original = figures.stream().anyMatch(figure -> figure.original(setting.figures()));
      for (int workers : setting.workers()) {
        try (FigureCluster cluster = FigureCluster.start(setting, workers, slots, original)) {
          for (FigureMeasurement figure : figures) {
            figure.measure(cluster);
            write(figure, setting);
          }
        }
      }
    }
  }

  /** Writes the current state, so that a long run that is interrupted leaves partial results. */
  private static void write(FigureMeasurement figure, Setting setting) throws IOException {
    List<FigurePanel> panels = figure.panels(setting.simulated());
    List<String> notes = new ArrayList<>(figure.notes(setting.figures()));
    notes.addAll(ALWAYS);
    new FigureFiles(setting).write(figure.name(), figure.what(), panels, notes);
  }
}
