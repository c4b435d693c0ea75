package io.cloudkon.client.cli;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.session.CancelRun;
import io.cloudkon.client.session.CancelRun.Completed;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Completes the results of a cancelled run whose folder is here, by a resume in this process. Used
 * by one thread.
 */
final class CancelCompletion implements CancelRun.Completion {
  private final NamedRun named;
  private final AwsCloud cloud;
  private final SystemTime time;
  private final OutputOptions output;
  private final Consumer<String> say;

  CancelCompletion(
      NamedRun named, AwsCloud cloud, SystemTime time, OutputOptions output, Consumer<String> say) {
    this.named = named;
    this.cloud = cloud;
    this.time = time;
    this.output = output;
    this.say = say;
  }

  @Override
  public Completed complete(RunEntry cancelled) throws InterruptedException {
    if (named.header().isEmpty()) {
      return Completed.ELSEWHERE;
    }
    RunHeader header = named.header().get();
    Path folder = named.folder().orElseThrow();
    try {
      if (!header.epoch().equals(cancelled.epoch())) {
        say.accept("%s holds another submission of run %s".formatted(folder, named.id()));
        return Completed.ELSEWHERE;
      }
      if (FolderState.of(folder) == FolderState.ENDED) {
        return Completed.BEFORE;
      }
      if (!SentWorkload.isInFile(header)) {
        say.accept("the tasks of run %s cannot be read again".formatted(named.id()));
        return Completed.ELSEWHERE;
      }
      say.accept("run %s is cancelled; completing its results in %s".formatted(named.id(), folder));
      int unused = resume(folder);
      return FolderState.of(folder) == FolderState.ENDED ? Completed.NOW : failed("interrupted");
    } catch (CloudKonException e) {
      return failed(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return failed(e.toString());
    }
  }

  private int resume(Path folder) throws InterruptedException {
    Resumption resumption = Resumption.in(RunFolder.resume(folder));
    try (ResumedRun resumed = ResumedRun.open(resumption, new SubmitOptions(), Optional.empty())) {
      return resumed.run("cancel", output, cloud, time);
    }
  }

  private Completed failed(String why) {
    say.accept(
        "the results in %s could not be completed: %s%s"
            .formatted(
                named.folder().orElseThrow(),
                why,
                named.resume().map(command -> "; try again with: " + command).orElse("")));
    return Completed.FAILED;
  }
}
