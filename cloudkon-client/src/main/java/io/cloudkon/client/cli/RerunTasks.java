package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.rerun.Rerun;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Content;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tasks of an earlier run that are run again.
 *
 * @param tasks the tasks of the rerun
 * @param directory the directory in which the first run's client was started
 * @param say receives messages for the user
 */
record RerunTasks(Rerun rerun, GeneratedTasks tasks, Path directory, Consumer<String> say)
    implements TaskOrigin {

  static RerunTasks of(Rerun rerun, Path directory, Consumer<String> say) {
    return new RerunTasks(
        rerun,
        new GeneratedTasks("<rerun>", Optional.empty(), false, rerun::lines),
        directory,
        say);
  }

  /** An override, although a record has it anyway: it must not be lost. */
  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public boolean isRerun() {
    return true;
  }

  @Override
  public boolean streamed() {
    return false;
  }

  @Override
  public Workload open(RunChecks checks) {
    return tasks.open(checks);
  }

  @Override
  public void shipped(List<Content> contents) {
    rerun.changes(contents).forEach(say);
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    say.accept(
        "reruns %s of the %d of run '%s'; results go to %s"
            .formatted(
                Wording.count(rerun.tasks(), "task"),
                rerun.history().header().tasks(),
                rerun.history().header().run(),
                rerun.history().next()));
    rerun.mayHaveRun().ifPresent(say);
    return tasks.keep(folder, workload).keeping(rerun.mark());
  }

  @Override
  public String name(RunFolder folder) {
    return tasks.name(folder);
  }

  @Override
  public String again(RunFolder folder) {
    return tasks.again(folder);
  }
}
