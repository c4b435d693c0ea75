package io.cloudkon.provisioner.cli;

import io.cloudkon.core.cli.HelpSections;
import java.util.List;

/** The sections in the provisioner's help. */
final class ProvisionerHelp extends HelpSections {
  ProvisionerHelp() {
    super(
        List.of(
            "--target",
            "--worker-slots",
            "--idle-timeout",
            "--subnets",
            "--interval",
            "--policy",
            "--threshold",
            "--step",
            "--cooldown",
            "--boot-timeout",
            "--price",
            "--worker-command",
            "--worker-allow",
            "--worker-roles",
            "--logs",
            "--state",
            "--json",
            "--metrics-port",
            "--bucket",
            "--insecure-endpoint",
            "--config"));
  }
}
