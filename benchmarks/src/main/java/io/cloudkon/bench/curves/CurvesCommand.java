package io.cloudkon.bench.curves;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench curves}: the published figures, simulated. */
@Command(
    name = "curves",
    description = "Simulates the published figures, and ours beside them.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  cloudkon bench curves --quick",
      "  cloudkon bench curves throughput latency --out figures",
    })
public final class CurvesCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = {
        "throughput, latency, stages,", "efficiency-homogeneous,",
        "efficiency-heterogeneous,", "consistency-overhead, scale. Default: all."
      })
  List<String> names = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "For a PNG and a CSV of each. Default: cloudkon-curves.")
  Path out = Path.of("cloudkon-curves");

  @Option(
      names = "--document",
      paramLabel = "FILE",
      description = "Markdown file whose tables are put right.")
  @Nullable Path document;

  @Option(names = "--quick", description = "Small fleets: seconds instead of half an hour.")
  boolean quick;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    List<Curve> curves = chosen();
    Document tables = document == null ? null : new Document(document);
    if (tables != null) {
      for (Curve curve : curves) {
        tables.check(curve.name());
      }
    }
    Files.createDirectories(out);
    PrintWriter screen = spec.commandLine().getOut();
    for (Curve curve : curves) {
      screen.printf("== %s: %s%n", curve.name(), curve.what());
      screen.flush();
      draw(curve, tables, screen);
    }
    return 0;
  }

  private void draw(Curve curve, @Nullable Document tables, PrintWriter screen) throws IOException {
    Scale scale = quick ? Scale.QUICK : Scale.FULL;
    Curve.Drawn drawn =
        curve.draw(
            scale,
            line -> {
              screen.println(line);
              screen.flush();
            });
    Path picture = out.resolve(curve.name() + ".png");
    drawn.picture().write(picture);
    Files.writeString(out.resolve(curve.name() + ".csv"), drawn.table().csv());
    if (tables != null) {
      tables.put(curve.name(), drawn.table().markdown());
    }
    screen.printf("  %s%n", picture);
    screen.flush();
  }

  private List<Curve> chosen() {
    List<Curve> chosen = new ArrayList<>();
    for (String name : names) {
      Curve found =
          Curve.ALL.stream()
              .filter(curve -> curve.name().equals(name))
              .findFirst()
              .orElseThrow(() ->
                  new UsageException(
                      "there is no curve '%s'; expected some of %s"
                          .formatted(
                              name,
                              Curve.ALL.stream()
                                  .map(Curve::name)
                                  .collect(Collectors.joining(", ")))));
      chosen.add(found);
    }
    return chosen.isEmpty() ? Curve.ALL : chosen;
  }
}
