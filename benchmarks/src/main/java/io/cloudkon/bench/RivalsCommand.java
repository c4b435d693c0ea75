package io.cloudkon.bench;

import io.cloudkon.bench.rivals.RivalsComparison;
import io.cloudkon.bench.rivals.StandingCluster;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench rivals}: a comparison with other schedulers. */
@Command(
    name = "rivals",
    description =
        "Runs HyperQueue, Celery, Dask and Ray from PyPI beside ours, in turns: the same work on"
            + " this machine.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Writes benchmarks/results/rivals.md and .json, but not with --only or",
      "--quick. Exit code: 0 if a rival ran, 1 if none could.",
      "",
      "Examples:",
      "  cloudkon bench rivals --keep target/rivals",
      "  cloudkon bench rivals --quick --only dask,ray",
    })
final class RivalsCommand implements Callable<Integer> {
  /**
   * A short path, because Ray's sockets lie below it and their paths may have at most about a
   * hundred characters.
   */
  private static final Path SHORT = Path.of("/tmp");

  private static final String PREFIX = "ck";

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "These rivals only: hyperqueue, celery, dask, ray.")
  List<String> only = new ArrayList<>();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Where the rivals are installed, and found again.")
  @Nullable Path keep;

  @Option(names = "--quick", description = "Small sizes, one round: two minutes, not ten.")
  boolean quick;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (keep != null && Files.exists(keep) && !Files.isDirectory(keep)) {
      throw new UsageException("--keep %s: expected a folder, this is a file".formatted(keep));
    }
    RivalsComparison comparison =
        new RivalsComparison(
            Checkout.home(),
            quick,
            List.copyOf(only),
            Optional.ofNullable(keep),
            this::cluster,
            spec.commandLine().getOut());
    Path scratch =
        Files.isDirectory(SHORT)
            ? Files.createTempDirectory(SHORT, PREFIX)
            : Files.createTempDirectory(PREFIX);
    try (SignalHook _ = SignalHook.install(scratch)) {
      return comparison.run(scratch) ? ExitCodes.SUCCESS : ExitCodes.SOME_FAILED;
    } finally {
      Checkout.remove(scratch);
    }
  }

  private StandingCluster cluster(Path folder, int slots) throws IOException, InterruptedException {
    Setting setting =
        new Setting(
            List.of(),
            quick,
            OptionalLong.empty(),
            true,
            new FigureOptions(),
            List.of(),
            Checkout.home(),
            folder,
            System.out);
    BenchCluster cluster = BenchCluster.start(setting, 1, slots);
    return new StandingCluster(cluster.queue(), cluster.environment(), cluster::close);
  }
}
