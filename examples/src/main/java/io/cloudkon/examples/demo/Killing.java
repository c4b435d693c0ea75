package io.cloudkon.examples.demo;

import java.util.Optional;

/**
 * Passes on what the provisioner says, kills a worker once half of the results are here, and tells
 * later what came of it.
 */
final class Killing implements DemoClient.Watch {
  private final DemoFleet fleet;
  private final Narrator narrator;
  private final long tasks;
  private boolean done;

  Killing(DemoFleet fleet, Narrator narrator, long tasks) {
    this.fleet = fleet;
    this.narrator = narrator;
    this.tasks = tasks;
  }

  @Override
  public void results(long soFar) throws InterruptedException {
    fleet.tell();
    if (done || 2 * soFar < tasks) {
      return;
    }
    Optional<ProcessHandle> victim = fleet.victim();
    if (victim.isEmpty()) {
      return; // the last one is not killed: the others still boot
    }
    done = true;
    DemoFleet.kill(victim.get());
    narrator.overProgress(
        "%d of %d results have arrived. Killed the worker of process %d (SIGKILL)."
            .formatted(soFar, tasks, victim.get().pid()));
  }

  /** Says what was run again. */
  void tell(DemoRunReport report) {
    if (!done) {
      narrator.heading(
          "This machine had done more than half before a second worker was there: none was"
              + " killed.");
      return;
    }
    narrator.heading(
        report.reruns() > 0
            ? "Run again by other workers, once a lease of %s was over: %d task%s in %d bundle%s."
                .formatted(
                    DemoFleet.LEASE,
                    report.reruns(),
                    report.reruns() == 1 ? "" : "s",
                    report.bundlesTakenOver(),
                    report.bundlesTakenOver() == 1 ? "" : "s")
            : "The killed worker held nothing at that moment, so nothing had to be run again.");
  }
}
