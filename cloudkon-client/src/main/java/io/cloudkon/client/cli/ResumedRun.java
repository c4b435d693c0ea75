package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Meters;
import io.cloudkon.client.session.Takeover;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Resumes a run and follows it to its report. Its workload is open from {@link #open} to {@link
 * #close}.
 *
 * @param resumption the checked resume
 * @param options the options of this command
 * @param settings those of the run
 * @param file the workload's file
 * @param workload the workload, which is the one that was submitted
 */
record ResumedRun(
    Resumption resumption,
    SubmitOptions options,
    RunOptions settings,
    String file,
    Workload workload)
    implements AutoCloseable {

  /**
   * Opens and checks the run's workload. Makes no call to AWS.
   *
   * @param named {@code -w}, if given
   * @throws io.cloudkon.core.error.UsageException if it cannot be found, or has changed
   */
  static ResumedRun open(Resumption resumption, SubmitOptions options, Optional<String> named) {
    RunOptions settings =
        options.numbers(false).resumed(resumption.header()).in(resumption.directory());
    String file = resumption.workload(named);
    Workload workload = resumption.open(file, settings.consistency());
    try {
      resumption.checkSame(workload, file);
      return new ResumedRun(resumption, options, settings, file, workload);
    } catch (RuntimeException e) {
      workload.close();
      throw e;
    }
  }

  /**
   * Runs until the run is over.
   *
   * @param command the name of the command, for its messages
   * @param output where the report goes
   * @return the exit code
   */
  int run(String command, OutputOptions output, AwsCloud cloud, SystemTime time)
      throws InterruptedException {
    String queue = resumption.header().queue();
    Cluster cluster = cloud.cluster(queue);
    cloud.probe(queue, StartCheck.ofClient(cluster));
    RunOptions shared = options.fairness().in(cluster, settings);
    RunIdentity fresh = RunIdentity.fresh(queue, resumption.header().run(), new Random());
    Takeover.Taken taken =
        new Takeover(
                cluster, settings.lease(), time, Pause.real(), new CommandMessages(command)::say)
            .take(resumption.header(), fresh, resumption.place());
    try (Workload all = resumption.again(workload, file)) {
      RunFolder folder = resumption.folder();
      return new ClientRun(
              command,
              shared,
              all,
              file,
              false,
              folder,
              Meters.of(cloud, time),
              output,
              options.detach,
              options.maxFailures(),
              RunLabel.NONE,
              (blobs, id) -> List.of(),
              taken.entry().state() == RunEntry.State.CANCELLED,
              RunHooks.NONE)
          .run(cluster, taken.identity(), session -> session.resume(taken, folder));
    }
  }

  @Override
  public void close() {
    workload.close();
  }
}
