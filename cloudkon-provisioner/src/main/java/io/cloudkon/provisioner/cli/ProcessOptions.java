package io.cloudkon.provisioner.cli;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.port.WorkerTakes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** A picocli mixin with the options for the workers to launch. */
final class ProcessOptions {
  @Option(
      names = "--worker-command",
      paramLabel = "CMD",
      description = "Command that runs a worker, for /bin/sh -c. Default: this version's worker.")
  @Nullable String command;

  @Option(
      names = "--worker-slots",
      paramLabel = "N",
      description = "Slots of each worker. Default: cores; ec2: the fewest vCPUs.")
  @Nullable Integer slots;

  @Option(
      names = "--worker-allow",
      paramLabel = "KIND",
      split = ",",
      converter = Kinds.class,
      description = "Kinds to run: noop, sleep, exec, java, shipped-java. Default: all.")
  Set<AllowedWork> allowed = EnumSet.allOf(AllowedWork.class);

  @Option(
      names = "--worker-roles",
      paramLabel = "ROLE",
      split = ",",
      converter = Roles.class,
      description = "Roles to take: mtc (tasks), hpc (ranks of jobs). Default: both.")
  Set<Role> roles = EnumSet.allOf(Role.class);

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Idle workers end after this. Default: the worker's, 60s.")
  @Nullable Duration idleTimeout;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "Workers' logs, one file each. Default: in the state folder.")
  @Nullable Path logs;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Records of launches, a folder for each cluster. Default: in $XDG_STATE_HOME or"
              + " ~/.local/state.")
  @Nullable Path state;

  /** The roles of a worker. */
  enum Role {
    MTC,
    HPC
  }

  /** The kinds of work that each worker takes. */
  WorkerTakes takes() {
    return new WorkerTakes(
        AllowedWork.kinds(allowed), roles.contains(Role.MTC), roles.contains(Role.HPC));
  }

  /** The number of slots of each worker on this machine. */
  int slots() {
    return slots == null ? Runtime.getRuntime().availableProcessors() : slots;
  }

  /**
   * Checks the options for a launcher of instances, whose launch template defines what they run.
   *
   * @throws UsageException if an option cannot be used, or would be ignored there
   */
  void checkOnInstances() {
    checkSlots();
    refuse("--worker-command", command);
    refuse("--idle-timeout", idleTimeout);
    refuse("--logs", logs);
    refuse("--state", state);
  }

  private static void refuse(String option, @Nullable Object given) {
    if (given != null) {
      throw new UsageException(
          "%s works only with --launcher process: an instance's launch template defines how its worker is run"
              .formatted(option));
    }
  }

  private void checkSlots() {
    if (slots != null && (slots < 1 || slots > 10_000)) {
      throw new UsageException("--worker-slots %d: expected 1 to 10000 slots".formatted(slots));
    }
  }

  /**
   * Checks what does not depend on this machine.
   *
   * @throws UsageException if an option cannot be used
   */
  void check() {
    checkSlots();
    if (idleTimeout != null) {
      long unused = Times.positive("--idle-timeout", idleTimeout);
      if (command != null) {
        throw new UsageException(
            "--idle-timeout cannot be combined with --worker-command: give it in the command"
                + " itself");
      }
    }
  }

  /** The arguments of a CloudKon worker, except those for AWS. */
  List<String> arguments(String queue) {
    List<String> all = new ArrayList<>(List.of("-s", queue, "-t", Integer.toString(slots())));
    if (!allowed.equals(EnumSet.allOf(AllowedWork.class))) {
      all.addAll(List.of("--allow", labels(allowed)));
    }
    if (!roles.equals(EnumSet.allOf(Role.class))) {
      all.addAll(List.of("--roles", labels(roles)));
    }
    // A process is not billed, so it does not stay for a paid period.
    all.addAll(List.of("--billing-minimum", "0s"));
    if (idleTimeout != null) {
      all.addAll(List.of("--idle-timeout", Durations.format(idleTimeout)));
    }
    return all;
  }

  private static String labels(Set<? extends Enum<?>> values) {
    return values.stream().map(Labels::of).sorted().collect(Collectors.joining(","));
  }

  /** Converts the kinds of work to which workers may be restricted. */
  static final class Kinds implements ITypeConverter<AllowedWork> {
    @Override
    public AllowedWork convert(String text) throws Exception {
      return Labels.converter(AllowedWork.class).convert(text);
    }
  }

  /** Converts roles. */
  static final class Roles implements ITypeConverter<Role> {
    @Override
    public Role convert(String text) throws Exception {
      return Labels.converter(Role.class).convert(text);
    }
  }
}
