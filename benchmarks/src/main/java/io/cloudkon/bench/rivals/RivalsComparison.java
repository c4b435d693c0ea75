package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Installs the rivals, starts the long-running processes, measures all systems in turns, and
 * reports.
 *
 * @param home the checkout of CloudKon
 * @param quick a first look, in two minutes
 * @param only the names of the rivals; empty for all
 * @param kept the folder where the rivals are installed permanently; empty for the scratch folder
 * @param starter starts a cluster of CloudKon
 * @param out receives the progress and the tables
 */
public record RivalsComparison(
    Path home,
    boolean quick,
    List<String> only,
    Optional<Path> kept,
    StandingCluster.Starter starter,
    PrintWriter out) {
  private static final String RESULTS = "benchmarks/results";

  /**
   * Runs the comparison. All started processes have ended afterwards, even if this process is
   * interrupted.
   *
   * @param scratch a folder with a short path, because Ray's sockets lie below it; the caller
   *     removes it
   * @return whether any rival has run
   * @throws io.cloudkon.core.error.UsageException if a name is not a rival's
   */
  public boolean run(Path scratch) throws IOException, InterruptedException {
    List<Competitor> competitors = Competitor.chosen(only);
    ProcessRunner runner = new ProcessRunner(scratch);
    Thread stop = new Thread(runner::stop, "stop-rivals");
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      return run(scratch, runner, competitors);
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(stop);
      } catch (IllegalStateException e) {
        // the hook runs already, because the program was interrupted
      }
    }
  }

  private boolean run(Path scratch, ProcessRunner runner, List<Competitor> competitors)
      throws IOException, InterruptedException {
    Map<Competitor, String> leftOut = new EnumMap<>(Competitor.class);
    Map<Competitor, Path> pythons = install(scratch, runner, competitors, leftOut);
    if (pythons.isEmpty()) {
      say("no rival could be installed");
      return false;
    }
    Path scripts = Files.createDirectories(scratch.resolve("scripts"));
    Files.createDirectories(scratch.resolve(CommandLines.CELERY_RESULTS));
    PythonEnvironments.unpack(scripts);
    say("starting emulators and a worker of ours");
    StandingCluster cluster = starter.start(scratch, Exercise.SLOTS);
    try {
      CommandLines commandLines = new CommandLines(home, scratch, scripts, pythons, cluster);
      Optional<Process> celery =
          pythons.containsKey(Competitor.CELERY)
              ? celery(commandLines, runner, leftOut)
              : Optional.empty();
      try {
        Sitting.Outcome outcome =
            new Sitting(commandLines, runner, quick, leftOut, out).run(competitors);
        report(outcome);
        return outcome.hasRival();
      } finally {
        if (celery.isPresent()) {
          ProcessRunner.end(celery.get());
        }
      }
    } finally {
      cluster.end().end();
    }
  }

  private Map<Competitor, Path> install(
      Path scratch,
      ProcessRunner runner,
      List<Competitor> competitors,
      Map<Competitor, String> leftOut)
      throws IOException, InterruptedException {
    Path folder = kept.orElse(scratch.resolve("python")).toAbsolutePath();
    PythonEnvironments environments =
        new PythonEnvironments(Files.createDirectories(folder), runner);
    Map<Competitor, Path> pythons = new EnumMap<>(Competitor.class);
    for (Competitor competitor : competitors) {
      if (competitor.role() == Competitor.Role.RIVAL) {
        say("installing " + competitor.label());
        try {
          pythons.put(competitor, environments.install(competitor));
        } catch (CloudKonException e) {
          leaveOut(competitor, "it could not be installed: " + e.getMessage(), leftOut);
        }
      }
    }
    return pythons;
  }

  private Optional<Process> celery(
      CommandLines commandLines, ProcessRunner runner, Map<Competitor, String> leftOut)
      throws IOException, InterruptedException {
    try {
      return Optional.of(
          CeleryWorker.start(
              runner, commandLines.celeryWorker(), commandLines.environment(Competitor.CELERY)));
    } catch (CloudKonException e) {
      leaveOut(Competitor.CELERY, "its worker: " + e.getMessage(), leftOut);
      return Optional.empty();
    }
  }

  private void leaveOut(Competitor competitor, String why, Map<Competitor, String> leftOut) {
    leftOut.put(competitor, why);
    say("%s is left out: %s".formatted(competitor.label(), why));
  }

  private void report(Sitting.Outcome outcome) throws IOException {
    String markdown = new ComparisonTables(outcome).markdown();
    out.printf("%n%s%n", markdown);
    Standings.lines(outcome).forEach(this::say);
    if (!quick && only.isEmpty()) {
      Path folder = home.resolve(RESULTS);
      ResultFiles.write(folder, outcome, markdown);
      say("written: %s/%s.md and .json".formatted(folder, ResultFiles.NAME));
    }
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
