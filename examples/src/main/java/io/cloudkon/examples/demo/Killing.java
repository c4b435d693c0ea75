package io.cloudkon.examples.demo;

/** Kills a worker once half of the results are here, and tells later what came of it. */
final class Killing implements ClientRun.Watch {
  private final Workers workers;
  private final Narrator narrator;
  private final long tasks;
  private boolean done;

  Killing(Workers workers, Narrator narrator, long tasks) {
    this.workers = workers;
    this.narrator = narrator;
    this.tasks = tasks;
  }

  @Override
  public void results(long soFar) throws InterruptedException {
    if (done || 2 * soFar < tasks) {
      return;
    }
    done = true;
    Child victim = workers.victim();
    long pid = victim.process().pid();
    workers.kill(victim);
    narrator.overProgress(
        "%d of %d results are here: %s, process %d, was killed just now (SIGKILL)."
            .formatted(soFar, tasks, victim.name(), pid));
  }

  /**
   * Says what was run again.
   *
   * @throws WrongException if no worker was killed
   */
  void tell(RunReport report) {
    if (!done) {
      throw new WrongException("the run was over before a worker could be killed");
    }
    narrator.heading(
        report.reruns() > 0
            ? "Run again by other workers, once a lease of %s was over: %d tasks in %d bundles."
                .formatted(Workers.LEASE, report.reruns(), report.bundlesTakenOver())
            : "The killed worker held nothing at that moment, so nothing had to be run again.");
  }
}
