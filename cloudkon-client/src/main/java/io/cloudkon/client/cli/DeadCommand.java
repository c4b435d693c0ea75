package io.cloudkon.client.cli;

import picocli.CommandLine.Command;

/** {@code dead}: the commands for dead letters. */
@Command(
    name = "dead",
    description = {
      "Dead letters: tasks during which workers died too often, and messages that",
      "could not be read. They are kept for 14 days."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    subcommands = {DeadListCommand.class, DeadShowCommand.class, DeadRedriveCommand.class},
    footer = {
      "",
      "Examples:",
      "  cloudkon dead list -s Q",
      "  cloudkon dead redrive -s Q 3f2a91c0"
    })
public final class DeadCommand {}
