package io.cloudkon.client.cli;

import io.cloudkon.client.answers.FinishedRun;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.rerun.Rerun;
import io.cloudkon.client.rerun.RunHistory;
import io.cloudkon.client.rerun.TaskSelection;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.process.ShellWord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rerun}: runs some tasks of an earlier run again. */
@Command(
    name = "rerun",
    customSynopsis = "cloudkon rerun RUN|FOLDER [--failed] [--lost] [--task ID]… [OPTIONS]",
    description = {
      "Reruns the unsuccessful tasks of a run: as a new run, with the same",
      "lines, ids and options, on the same cluster. Options given here replace its;",
      "the defaults below are those of a new run. Results are in the run's folder."
    },
    modelTransformer = RerunCommand.WithoutOut.class,
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Results go to rerun-1, rerun-2 and so on in the run's folder. To see the final",
      "result of each task: cloudkon results RUN --latest",
      "Examples:",
      "  cloudkon rerun 20260101-120000-k3x9q2",
      "  cloudkon rerun out --failed --timeout 2h",
    })
public final class RerunCommand implements Callable<Integer> {
  /**
   * The options that are refused, because the results of a rerun are always in the first run's
   * folder.
   */
  private static final Set<String> NOT_HERE = Set.of("--out", "--force");

  /**
   * The options that a configuration file, which several commands may share, does not set here: a
   * rerun has none of the others, and an id is that of one run.
   */
  private static final Set<String> NOT_FROM_FILE = Set.of("--out", "--force", "--run-id");

  /** Hides the refused options in the help. */
  static final class WithoutOut extends SubmitHelp {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      for (String name : NOT_HERE) {
        OptionSpec option = spec.findOption(name);
        spec.remove(option);
        spec.add(OptionSpec.builder(option).hidden(true).build());
      }
      return super.transform(spec);
    }
  }

  @Parameters(paramLabel = "RUN|FOLDER", description = "The run's id, or its folder.")
  String run = "";

  @Option(names = "--failed", description = "Only tasks that failed or timed out.")
  boolean failed;

  @Option(names = "--lost", description = "Only tasks that were lost.")
  boolean lost;

  @Option(
      names = "--task",
      paramLabel = "ID",
      description = "This task, however it ended (repeatable).")
  List<String> tasks = new ArrayList<>();

  @Option(names = "--abandoned", description = "Rerun an unfinished run whose cluster is gone.")
  boolean abandoned;

  @Mixin SubmitOptions options = new SubmitOptions();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    NamedRun.checkOne(run, null);
    GivenOptions given = GivenOptions.explicitly(spec, NOT_FROM_FILE);
    NOT_HERE.stream()
        .filter(given.values()::containsKey)
        .findFirst()
        .ifPresent(option -> {
          throw new UsageException(
              "%s cannot be combined with rerun: its results are in the folder of the first run"
                  .formatted(option));
        });
    Path folder = FinishedRun.of(run).path();
    RunHistory history = RunHistory.of(folder);
    history.requireOver(abandoned);
    KeptOptions kept = kept(folder, history.header());
    GivenOptions all =
        GivenOptions.surroundings(spec).under(new GivenOptions(kept.options())).under(given);
    SubmitOptions merged = all.parse();
    merged.out = history.next().toString();
    try (Workload workload = workload(history.header(), folder)) {
      Rerun rerun =
          new Rerun(
              history, workload, TaskSelection.of(failed, lost, tasks).among(history, workload));
      return new Submission(
              "rerun",
              Optional.of(history.header().queue()),
              merged,
              all,
              RerunTasks.of(
                  rerun,
                  kept.directory(),
                  merged.print.quiet ? line -> {} : new CommandMessages("rerun")::say))
          .run();
    }
  }

  private static Workload workload(RunHeader header, Path folder) {
    return SentWorkload.open(header, folder)
        .orElseThrow(() ->
            new UsageException(
                "run '%s' cannot be run again: %s"
                    .formatted(header.run(), SentWorkload.why(header))));
  }

  /**
   * The options of the first run. A run on LOCAL must be repeated in the directory in which it was
   * started.
   */
  private static KeptOptions kept(Path folder, RunHeader header) {
    KeptOptions kept =
        KeptOptions.in(folder)
            .orElseThrow(() ->
                new UsageException(
                    "%s does not record the options of run '%s': it is from an older version"
                        .formatted(folder, header.run())));
    if (header.queue().equals(Names.LOCAL) && !kept.directory().equals(KeptOptions.here())) {
      throw new UsageException(
          "run '%s' ran in %s, and its tasks would start elsewhere now; rerun it from there: cd %s"
              .formatted(
                  header.run(), kept.directory(), ShellWord.of(kept.directory().toString())));
    }
    return kept;
  }
}
