package io.cloudkon.bench;

import io.cloudkon.bench.curves.CurvesCommand;
import io.cloudkon.bench.simulate.SimulateCommand;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench}: runs benchmarks by name. */
@Command(
    name = "bench",
    description =
        "Runs benchmarks against the embedded emulator, or simulates fleets; without a name, lists"
            + " the benchmarks.",
    subcommands = {SimulateCommand.class, CurvesCommand.class, RivalsCommand.class},
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon bench throughput",
      "  cloudkon bench all --quick",
      "  cloudkon bench large --tasks 1000000",
      "  cloudkon bench latency efficiency --emulate-latency 10ms",
      "  cloudkon bench efficiency --work-per-slot 30s --defaults-only",
      "  cloudkon bench simulate --workers 1,100,10000",
    })
final class BenchCommand implements Callable<Integer> {
  static final String ALL = "all";

  private static final List<Benchmark> BENCHMARKS =
      List.of(
          new ThroughputBenchmark(),
          new LocalBenchmark(),
          new LonelyBenchmark(),
          new SessionBenchmark(),
          new StartBenchmark(),
          new BalanceBenchmark(),
          new FairBenchmark(),
          new ShipBenchmark(),
          new GangsBenchmark(),
          new ProvisioningBenchmark(),
          new LargeBenchmark(),
          new MicroBenchmark(),
          new FigureBenchmark(ThroughputFigure::new),
          new FigureBenchmark(GangFigure::new),
          new FigureBenchmark(LatencyFigure::new),
          new FigureBenchmark(LatencyCdfFigure::new),
          new FigureBenchmark(EfficiencyFigure::new),
          new FigureBenchmark(HeterogeneousFigure::new),
          new FigureBenchmark(ConsistencyFigure::new),
          new FigureBenchmark(CallsFigure::new));

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Which ones, or all.")
  List<String> names = new ArrayList<>();

  @Option(names = "--quick", description = "Small sizes: seconds instead of minutes.")
  boolean quick;

  @Option(names = "--tasks", paramLabel = "N", description = "The number of tasks.")
  @Nullable Long tasks;

  @Option(
      names = "--rmi-tls",
      paramLabel = "on|off",
      description = "Encrypt calls between workers. Default: on.")
  String rmiTls = "on";

  @Option(
      names = "--scratch",
      paramLabel = "DIR",
      description = "Where temporary files go. Default: the system's folder.")
  @Nullable Path scratch;

  @Mixin FigureOptions figures = new FigureOptions();

  /** Options of the measured JVMs, for tests that only check that they run. */
  List<String> jvm = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (tasks != null && (tasks < 1 || tasks > 1_000_000_000)) {
      throw new UsageException("--tasks %d: expected 1 to 1000000000".formatted(tasks));
    }
    if (!rmiTls.equals("on") && !rmiTls.equals("off")) {
      throw new UsageException("--rmi-tls %s: expected on or off".formatted(rmiTls));
    }
    figures.check(tasks);
    if (names.isEmpty()) {
      BENCHMARKS.forEach(b -> System.out.printf("%-16s%s%n", b.name(), b.what()));
      System.out.printf("%-16s%s%n", ALL, "each of them, one after the other");
      System.out.printf("%-16s%s%n", "simulate", "fleets of any size, or faults by seed: --help");
      System.out.printf("%-16s%s%n", "curves", "the published figures, simulated: --help");
      System.out.printf("%-16s%s%n", "rivals", "other schedulers beside ours: --help");
      return 0;
    }
    List<FigureBenchmark> measured = new ArrayList<>();
    for (Benchmark benchmark : chosen()) {
      if (benchmark instanceof FigureBenchmark figure) {
        measured.add(figure);
      } else {
        run(benchmark.name(), benchmark.what(), benchmark::run);
      }
    }
    if (!measured.isEmpty()) {
      // together, on the same clusters, whose starts take longest
      run(
          measured.stream().map(FigureBenchmark::name).collect(Collectors.joining(", ")),
          "with %s worker processes".formatted(Arrays.toString(figures.workers(quick))),
          setting -> FigureBenchmark.runAll(measured, setting));
    }
    return 0;
  }

  private List<Benchmark> chosen() {
    List<Benchmark> chosen = new ArrayList<>();
    for (String name : names) {
      List<Benchmark> found =
          BENCHMARKS.stream().filter(b -> name.equals(ALL) || name.equals(b.name())).toList();
      if (found.isEmpty()) {
        throw new UsageException(
            "there is no benchmark '%s'; expected all or one of %s"
                .formatted(
                    name,
                    BENCHMARKS.stream().map(Benchmark::name).collect(Collectors.joining(", "))));
      }
      chosen.addAll(found);
    }
    return chosen;
  }

  /** The code that runs a benchmark. */
  private interface Body {
    void run(Setting setting) throws IOException, InterruptedException;
  }

  private void run(String name, String what, Body body) throws IOException, InterruptedException {
    Path folder =
        scratch == null
            ? Files.createTempDirectory("cloudkon-bench")
            : Files.createTempDirectory(Files.createDirectories(scratch), "bench");
    try (SignalHook _ = SignalHook.install(folder)) {
      OptionalLong asked = tasks == null ? OptionalLong.empty() : OptionalLong.of(tasks);
      Setting setting =
          new Setting(
              names,
              quick,
              asked,
              rmiTls.equals("on"),
              figures,
              jvm,
              Checkout.home(),
              folder,
              System.out);
      setting.say("== %s: %s", name, what);
      body.run(setting);
    } finally {
      Checkout.remove(folder);
    }
  }
}
