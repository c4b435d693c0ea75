package io.cloudkon.client.cli;

import io.cloudkon.core.cli.HelpSections;
import java.util.List;

/** The sections in the help of a command that submits tasks. */
class SubmitHelp extends HelpSections {
  /** Those that require knowledge of the protocol come last. */
  static final List<String> TUNING =
      List.of(
          "--abandoned",
          "--max-failures",
          "--capture",
          "--collect-failed",
          "--collect-size",
          "--collect-files",
          "--name",
          "--tag",
          "--stream",
          "--handlers",
          "--priority",
          "--no-progress",
          "--config",
          "--bucket",
          "--insecure-endpoint",
          "--consistency",
          "--claim",
          "--preset",
          "--bundle-target",
          "--bundle");

  SubmitHelp() {
    super(TUNING);
  }
}
