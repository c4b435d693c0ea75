package io.cloudkon.client.cli;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.session.CancelRun;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Files;
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
  private final Consumer<String> say;
  private boolean interrupted;

  CancelCompletion(NamedRun named, AwsCloud cloud, SystemTime time, Consumer<String> say) {
    this.named = named;
    this.cloud = cloud;
    this.time = time;
    this.say = say;
  }

  /** Whether Ctrl-C ended the completion. */
  boolean interrupted() {
    return interrupted;
  }

  @Override
  public Optional<String> complete(RunEntry cancelled) throws InterruptedException {
    Optional<RunHeader> header =
        named.header().filter(run -> run.epoch().equals(cancelled.epoch()));
    if (header.isEmpty()) {
      return Optional.empty();
    }
    Path folder = named.folder().orElseThrow();
    String complete = "its results in %s are complete".formatted(folder);
    try {
      if (FolderState.of(folder) == FolderState.ENDED) {
        return Optional.of(complete);
      }
      if (!header.get().isResumable() || !canBeRead(header.get())) {
        return incomplete("its tasks cannot be read again");
      }
      say.accept("run %s is cancelled; completing its results in %s".formatted(named.id(), folder));
      interrupted = resume(folder) == ExitCodes.INTERRUPTED;
      return interrupted ? incomplete("interrupted") : Optional.of(complete);
    } catch (CloudKonException e) {
      return incomplete(String.valueOf(e.getMessage()));
    }
  }

  private int resume(Path folder) throws InterruptedException {
    Resumption resumption = Resumption.in(RunFolder.resume(folder));
    try (ResumedRun resumed = ResumedRun.open(resumption, new SubmitOptions(), Optional.empty())) {
      return resumed.run("cancel", cloud, time);
    }
  }

  /** Whether its tasks are in a file: a pipe or a terminal would be waited for. */
  private static boolean canBeRead(RunHeader header) {
    Path file = Path.of(header.file());
    return header.spooled() || !Files.exists(file) || Files.isRegularFile(file);
  }

  private Optional<String> incomplete(String why) {
    say.accept(
        "the results in %s could not be completed: %s%s"
            .formatted(
                named.folder().orElseThrow(),
                why,
                named.resume().map(command -> "; try again with: " + command).orElse("")));
    return Optional.empty();
  }
}
