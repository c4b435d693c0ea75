package io.cloudkon.provisioner.cli;

import io.cloudkon.core.aws.ec2.LaunchTemplates;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.provisioner.launch.ec2.PurchasePlan;
import io.cloudkon.provisioner.launch.ec2.WantedLaunch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** A picocli mixin with the options for the EC2 instances to launch. */
final class Ec2Options {
  @Option(
      names = "--launch-template",
      paramLabel = "NAME[:VERSION]",
      description = "ec2: name or id; a number, default or latest. Default: default.")
  @Nullable String template;

  @Option(
      names = "--instance-types",
      paramLabel = "TYPE",
      split = ",",
      description = "ec2: on demand cheapest first. Default: template's.")
  List<String> types = new ArrayList<>();

  @Option(
      names = "--subnets",
      paramLabel = "SUBNET",
      split = ",",
      description = "ec2: one per zone. Default: the template's.")
  List<String> subnets = new ArrayList<>();

  @Option(
      names = "--purchase",
      paramLabel = "HOW",
      converter = Purchases.class,
      description = "ec2: spot (else on demand), spot-only, on-demand. Default: spot.")
  @Nullable PurchasePlan purchase;

  /**
   * The launch that the options describe.
   *
   * @throws UsageException if they cannot be used
   */
  WantedLaunch wanted(String cluster) {
    if (template == null || template.isBlank()) {
      throw new UsageException("--launcher ec2: expected --launch-template NAME[:VERSION] as well");
    }
    int colon = template.indexOf(':');
    String name = colon < 0 ? template : template.substring(0, colon);
    if (name.isBlank()) {
      throw new UsageException(
          "--launch-template %s: expected NAME[:VERSION], such as workers:3".formatted(template));
    }
    refuseBlank("--instance-types", types, "c7i.large,m7i.large");
    refuseBlank("--subnets", subnets, "subnet-1,subnet-2");
    return new WantedLaunch(
        cluster,
        name,
        colon < 0 ? LaunchTemplates.DEFAULT : version(template.substring(colon + 1)),
        types,
        subnets,
        purchase == null ? PurchasePlan.SPOT : purchase);
  }

  private String version(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "default", "$default" -> LaunchTemplates.DEFAULT;
      case "latest", "$latest" -> LaunchTemplates.LATEST;
      default -> {
        if (!text.matches("[1-9][0-9]{0,17}")) {
          throw new UsageException(
              "--launch-template %s: version '%s' is invalid; expected a number, default or latest"
                  .formatted(template, text));
        }
        yield text;
      }
    };
  }

  private static void refuseBlank(String option, List<String> values, String example) {
    if (values.stream().anyMatch(value -> value.isBlank() || value.contains("/"))) {
      throw new UsageException(
          "%s %s: expected names separated by commas, such as %s"
              .formatted(option, String.join(",", values), example));
    }
  }

  /** Refuses all of these options, because another launcher would ignore them. */
  void refuseAll() {
    refuse("--launch-template", template != null);
    refuse("--instance-types", !types.isEmpty());
    refuse("--subnets", !subnets.isEmpty());
    refuse("--purchase", purchase != null);
  }

  private static void refuse(String option, boolean given) {
    if (given) {
      throw new UsageException("%s works only with --launcher ec2".formatted(option));
    }
  }

  /** Converts purchase plans for picocli. */
  static final class Purchases implements ITypeConverter<PurchasePlan> {
    @Override
    public PurchasePlan convert(String text) throws Exception {
      return Labels.converter(PurchasePlan.class).convert(text);
    }
  }
}
