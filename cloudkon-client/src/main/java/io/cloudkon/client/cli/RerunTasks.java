package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.rerun.Rerun;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Tasks of a former run that are run again.
 *
 * @param tasks the same, as tasks of a run
 * @param say takes a line for a person
 */
record RerunTasks(Rerun rerun, GeneratedTasks tasks, Consumer<String> say) implements TaskOrigin {

  static RerunTasks of(Rerun rerun, Consumer<String> say) {
    return new RerunTasks(rerun, new GeneratedTasks("<rerun>", rerun::lines), say);
  }

  @Override
  public boolean streamed() {
    return false;
  }

  @Override
  public Workload open(Consistency consistency, OptionalInt slots) {
    return tasks.open(consistency, slots);
  }

  @Override
  public void shipped(List<Content> contents) {
    rerun.changes(contents).forEach(say);
  }

  @Override
  public RunFolder keep(RunFolder folder, Workload workload) {
    say.accept(
        "%s of the %d of run '%s', into %s"
            .formatted(
                Wording.count(rerun.tasks(), "task"),
                rerun.history().header().tasks(),
                rerun.history().header().run(),
                rerun.history().next()));
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
