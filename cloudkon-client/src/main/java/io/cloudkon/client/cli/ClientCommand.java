package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.process.ShellWord;
import io.cloudkon.core.time.SystemTime;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code client}: sends a workload and collects its results. */
@Command(
    name = "client",
    customSynopsis = "cloudkon client -s QUEUE (-w FILE | --serve) [OPTIONS]",
    description = "Runs a workload file: here, or on the workers of a cluster.",
    modelTransformer = SubmitHelp.class,
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Lines of FILE: exec COMMAND…, java NAME ARGS…, sleep 16 (ms; 5s too), noop;",
      "HPC jobs: hpc N before one of these, mpi N PROGRAM ARGS…",
      "Example: cloudkon client -s LOCAL -t 4 -w tasks.txt",
    })
public final class ClientCommand implements Callable<Integer> {

  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster's queue, or LOCAL. Found by --resume.")
  @Nullable String named;

  @Option(
      names = "-w",
      paramLabel = "FILE",
      description = "The workload: text or .jsonl; - is stdin.")
  @Nullable String workloadFile;

  @Mixin SubmitOptions options = new SubmitOptions();

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description = "Resume this run, or the run in this folder.")
  @Nullable String resume;

  @Option(names = "--stream", description = "Send while reading; a bad line stops it.")
  boolean stream;

  @Option(names = "--serve", description = "Tasks from stdin, a result line each on stdout.")
  boolean serve;

  @Parameters(hidden = true)
  List<String> stray = new ArrayList<>();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    if (!stray.isEmpty()) {
      throw new UsageException(
          "unexpected argument '%s'; a workload file is given with -w: %s client -s %s -w %s"
              .formatted(
                  stray.getFirst(),
                  Launcher.name(),
                  named == null ? Names.LOCAL : named,
                  ShellWord.of(stray.getFirst())));
    }
    if (resume != null && !serve) {
      ResumedName run = ResumedName.of(resume, Optional.ofNullable(options.out));
      String queue = named != null ? named : Resumption.queue(run.run(), run.out());
      if (!queue.equals(Names.LOCAL)) {
        Names.checkCluster(queue);
        options.checkHandlers(false);
      }
      options.checkMaxFailures();
      return resume(queue, Names.check("run id", run.run()), run.out());
    }
    if (serve) {
      return serve();
    }
    if (named == null) {
      throw new UsageException(
          "missing required option: '-s QUEUE'; with -s LOCAL the tasks run here; see %s client --help"
              .formatted(Launcher.name()));
    }
    if (workloadFile == null) {
      throw new UsageException(
          "missing required option: '-w FILE'; see %s client --help".formatted(Launcher.name()));
    }
    return new Submission(
            "client",
            Optional.of(named),
            options,
            GivenOptions.of(spec),
            new TaskFile(workloadFile, stream))
        .run();
  }

  @SuppressWarnings("resource") // the descriptor is the process's
  private int serve() throws IOException, InterruptedException {
    Map<String, Boolean> others = new LinkedHashMap<>();
    others.put("-w", workloadFile != null);
    others.put("--stream", stream);
    others.put("--resume", resume != null);
    others.put("--detach", options.detach);
    others.forEach((option, given) -> {
      if (given) {
        throw new UsageException(
            "%s cannot be combined with --serve, which takes its tasks from standard input and waits for their results"
                .formatted(option));
      }
    });
    ServedTasks tasks =
        new ServedTasks(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            named == null ? Names.LOCAL : named,
            !RunFolder.NONE.equals(options.out));
    return new Submission(
            "client", Optional.ofNullable(named), options, GivenOptions.of(spec), tasks)
        .run();
  }

  private int resume(String queue, String run, Optional<String> out) throws InterruptedException {
    Resumption resumption =
        Resumption.of(
            queue,
            run,
            out,
            Optional.ofNullable(options.consistency),
            Optional.ofNullable(options.claim),
            spec.commandLine().getParseResult()::hasMatchedOption);
    Map<String, List<String>> submitted = resumption.submitted();
    SubmitOptions all = GivenOptions.resumed(spec, submitted);
    String limit = submitted.getOrDefault("--max-failures", List.of(WholeNumbers.NONE)).getLast();
    if (!limit.equals(WholeNumbers.NONE)
        && all.maxFailures == null
        && !all.detach
        && !options.print.quiet) {
      new CommandMessages("client")
          .say(
              "run %s was submitted with --max-failures %s, which held for that client; to limit failures now, give it again"
                  .formatted(run, limit));
    }
    SystemTime time = new SystemTime();
    try (ResumedRun resumed = ResumedRun.open(resumption, all, Optional.ofNullable(workloadFile));
        AwsCloud cloud = options.aws.connect(time)) {
      return resumed.run("client", options.print.shown(), cloud, time);
    }
  }
}
