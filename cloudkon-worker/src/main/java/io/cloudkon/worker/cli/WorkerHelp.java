package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.HelpSections;
import java.util.List;

/** The sections in the worker's help. */
final class WorkerHelp extends HelpSections {
  WorkerHelp() {
    super(
        List.of(
            "--cache-size",
            "--max-capture",
            "--env-pass",
            "--idle-timeout",
            "--billing-minimum",
            "--billing-period",
            "--renewal-window",
            "--max-lifetime",
            "--sick-timeout",
            "--max-attempts",
            "--reply-timeout",
            "--mounts",
            "--rmi-address",
            "--rmi-port",
            "--rmi-tls",
            "--mpi-ports",
            "--max-ranks",
            "--gang-timeout",
            "--gang-patience",
            "--bucket",
            "--insecure-endpoint",
            "--config",
            "--heartbeat",
            "--lease",
            "--clock-margin"));
  }
}
