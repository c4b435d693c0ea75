package io.cloudkon.client.cli;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.AwsSetup;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.time.SystemTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code setup}: creates a cluster. */
@Command(
    name = "setup",
    description =
        "Creates every queue and table of a cluster, and the bucket.\n"
            + "Existing queues get the attributes that CloudKon needs; the rest is left unchanged.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {"", "Examples:", "  cloudkon setup -s Q", "  cloudkon setup -s Q --fair"})
public final class SetupCommand implements Callable<Integer> {
  private static final String FAIR =
      "fair: each client keeps at most 2 s of the fleet's work in the queue (--priority)";
  private static final String ALONE =
      "not fair: each client sends everything immediately (setup --fair)";

  /** How clients share the cluster, and the same in words. */
  record Sharing(boolean fair, String words) {}

  @Option(
      names = "-s",
      required = true,
      paramLabel = "QUEUE",
      description = "The cluster: the name of its request queue.")
  String queue = "";

  @Option(
      names = "--fair",
      negatable = true,
      description = {
        "Share the workers between clients: each keeps only a little work in the queue."
            + " Stored with the cluster.",
        "Default: unchanged; no for a new cluster."
      })
  @Nullable Boolean fair;

  @Mixin ResultOptions print = new ResultOptions();

  @Mixin AwsOptions aws = new AwsOptions();

  @Override
  public Integer call() {
    Names.checkShared(queue);
    try (AwsCloud cloud = aws.connect(new SystemTime())) {
      cloud.probeServices(queue);
      AwsSetup.Resources made = cloud.setup().setup(queue);
      Optional<String> stack = cloud.setup().stack(queue);
      Sharing sharing = share(cloud.cluster(queue).decisions(), fair);
      String owner = stack.map(" (it belongs to stack %s)"::formatted).orElse("");
      print
          .shown()
          .result(
              true,
              "cluster %s is ready%s: %s%n%s".formatted(queue, owner, names(made), sharing.words()),
              () -> facts(made, stack, sharing.fair()));
    }
    return ExitCodes.SUCCESS;
  }

  private static String names(AwsSetup.Resources made) {
    String names = String.join(", ", made.queuesAndTables());
    return names + made.bucket().map(", bucket "::concat).orElse("");
  }

  private Map<String, @Nullable Object> facts(
      AwsSetup.Resources made, Optional<String> stack, boolean shared) {
    Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    facts.put("cluster", queue);
    facts.put("resources", made.queuesAndTables());
    facts.put("bucket", made.bucket().orElse(null));
    facts.put("stack", stack.orElse(null));
    facts.put("fair", shared);
    return facts;
  }

  /**
   * Stores the cluster's setting.
   *
   * @param asked the new setting; null leaves it unchanged
   * @return how clients share the cluster now
   */
  static Sharing share(DecisionStore decisions, @Nullable Boolean asked) {
    ClusterSettings kept = decisions.settings();
    if (asked != null && asked != kept.fair()) {
      decisions.keep(new ClusterSettings(asked));
      return new Sharing(
          asked, (asked ? FAIR : ALONE) + "; running clients keep the previous setting");
    }
    return new Sharing(kept.fair(), kept.fair() ? FAIR : ALONE);
  }
}
