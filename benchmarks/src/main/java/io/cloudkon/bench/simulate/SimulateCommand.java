package io.cloudkon.bench.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.bench.plot.Png;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench simulate}: fleets of any size, or faults by seed. */
@Command(
    name = "simulate",
    description = "Simulates fleets of any size, or faults by seed.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon bench simulate --workers 1,100,10000 --duration 50ms",
      "  cloudkon bench simulate --preset original --plot fleet.png",
      "  cloudkon bench simulate --seeds 1000",
      "  cloudkon bench simulate --within 5m",
      "  cloudkon bench simulate --seeds 1000 --fleet",
      "  cloudkon bench simulate --seeds 1000 --refused",
      "  cloudkon bench simulate --seeds 1000 --preset original",
      "  cloudkon bench simulate --seed 7 --consistency at-most-once --trace",
    })
public final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Mixed faults by N seeds, in every mode or --consistency.")
  @Nullable Integer seeds;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "As many seeds as fit into it, --seeds at most.",
      converter = Durations.WithUnit.class)
  @Nullable Duration within;

  @Option(names = "--seed", paramLabel = "S", description = "The first seed. Default: 1.")
  long seed = 1;

  @Option(names = "--trace", description = "One seed's mixed faults, told step by step.")
  boolean trace;

  @Option(names = "--hpc", description = "Mixed faults with HPC jobs.")
  boolean hpc;

  @Option(
      names = "--fleet",
      description = "Mixed faults with a fleet that grows with its queue and ends itself.")
  boolean growing;

  @Option(names = "--sick", description = "Mixed faults with workers that can start no task.")
  boolean sick;

  @Option(
      names = "--refused",
      description = "Mixed faults with policies that deny what workers and clients do.")
  boolean refused;

  @Mixin FleetOptions fleet = new FleetOptions();

  @Option(names = "--plot", paramLabel = "FILE", description = "Draw the table as a PNG.")
  @Nullable Path plot;

  @Option(names = "--json", description = "The table for programs.")
  boolean json;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (seeds != null || within != null || trace) {
      onlyFaults();
      FaultsBySeed faults = new FaultsBySeed(out, mode(), kind());
      return trace ? faults.trace(seed) : faults.run(seed, count(), within);
    }
    if (!original() && !kinds().isEmpty()) {
      throw new UsageException(
          "%s: expected --seeds, --within or --trace with it".formatted(kinds().getFirst()));
    }
    Scenario scenario = fleet.scenario(seed);
    if (plot != null) {
      Png.check(plot);
    }
    List<Point> points = simulate(scenario, out);
    if (plot != null) {
      ScaleFigure.write(plot, scenario, points);
    }
    return 0;
  }

  /** The given options that select the faults to mix. */
  private List<String> kinds() {
    List<String> kinds = new ArrayList<>();
    if (hpc) {
      kinds.add("--hpc");
    }
    if (growing) {
      kinds.add("--fleet");
    }
    if (sick) {
      kinds.add("--sick");
    }
    if (refused) {
      kinds.add("--refused");
    }
    if (original()) {
      kinds.add("--preset original");
    }
    return kinds;
  }

  private boolean original() {
    return fleet.preset == Preset.ORIGINAL;
  }

  /** The only mode in which faults are mixed; null for all modes. */
  private @Nullable Consistency mode() {
    if (original() && fleet.consistency != null && fleet.consistency != Consistency.AT_MOST_ONCE) {
      throw new UsageException(
          "--consistency %s: faults under --preset original are mixed in at-most-once only"
              .formatted(fleet.consistency.label()));
    }
    return original() ? Consistency.AT_MOST_ONCE : fleet.consistency;
  }

  private FaultsBySeed.Kind kind() {
    if (hpc && growing) {
      throw new UsageException("--hpc and --fleet: expected one of them; fleets have HPC jobs too");
    }
    List<String> kinds = kinds();
    if (kinds.size() > 1) {
      throw new UsageException(
          "%s goes with no other kind: %s"
              .formatted(kinds.getLast(), String.join(", ", kinds.subList(0, kinds.size() - 1))));
    }
    if (original()) {
      return FaultsBySeed.Kind.ORIGINAL;
    }
    if (refused) {
      return FaultsBySeed.Kind.REFUSED;
    }
    if (sick) {
      return FaultsBySeed.Kind.SICK;
    }
    return hpc
        ? FaultsBySeed.Kind.HPC
        : growing ? FaultsBySeed.Kind.FLEET : FaultsBySeed.Kind.TASKS;
  }

  private int count() {
    int count = seeds == null ? Integer.MAX_VALUE : seeds;
    if (count < 1) {
      throw new UsageException("--seeds %d: expected 1 or more".formatted(count));
    }
    return count;
  }

  /** Rejects options of the fleet, because a seed determines its own fleet. */
  private void onlyFaults() {
    if (trace && (seeds != null || within != null)) {
      throw new UsageException(
          "--trace shows one seed: --seed S, and neither --seeds nor --within");
    }
    List<String> allowed =
        List.of(
            "--seeds",
            "--within",
            "--seed",
            "--trace",
            "--hpc",
            "--fleet",
            "--sick",
            "--refused",
            "--preset",
            "--consistency",
            "--help",
            "--version");
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptionsSet()) {
      if (!allowed.contains(option.longestName())) {
        throw new UsageException(
            "%s does not go with %s: a seed draws its own fleet and load"
                .formatted(option.longestName(), trace ? "--trace" : "--seeds"));
      }
    }
  }

  private List<Point> simulate(Scenario scenario, PrintWriter out) throws IOException {
    List<Point> points = new ArrayList<>();
    if (!json) {
      ScaleTable.head(out);
    }
    for (int workers : fleet.workers) {
      Point point = Point.of(scenario, workers);
      points.add(point);
      if (!json) {
        ScaleTable.row(out, point);
      }
    }
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(ScaleTable.fields(points)));
      out.flush();
    } else {
      ScaleTable.foot(out);
    }
    return points;
  }
}
