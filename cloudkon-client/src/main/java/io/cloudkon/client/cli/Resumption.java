package io.cloudkon.client.cli;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.process.ShellWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checks of a {@code --resume} that need no call to AWS. Immutable.
 *
 * @param folder the run's folder
 * @param header the header of the run in that folder
 */
record Resumption(RunFolder folder, RunHeader header) {
  /** The options that define the run and cannot be given again. */
  private static final List<String> FIXED =
      List.of(
          "--run-id",
          "--name",
          "--tag",
          "--preset",
          "--retries",
          "--timeout",
          "--capture",
          "--ship",
          "--collect",
          "--collect-failed",
          "--collect-size",
          "--collect-files",
          "--stream",
          "--force");

  /**
   * Finds the run's folder.
   *
   * @param out {@code --out}, if given
   * @param consistency {@code --consistency}, if given
   * @param claim {@code --claim}, if given
   * @param given whether an option is on the command line
   */
  static Resumption of(
      String queue,
      String run,
      Optional<String> out,
      Optional<Consistency> consistency,
      Optional<ClaimScope> claim,
      Predicate<String> given) {
    if (queue.equals(Names.LOCAL)) {
      throw new UsageException(
          "--resume %s: a run in this process (LOCAL) ends with it and cannot be resumed; run what is missing with: %s rerun %s"
              .formatted(run, Launcher.name(), ShellWord.of(out.orElse(run))));
    }
    FIXED.stream()
        .filter(given)
        .findFirst()
        .ifPresent(option -> {
          throw new UsageException(
              "%s cannot be combined with --resume: run '%s' keeps what it was submitted with"
                  .formatted(option, run));
        });
    if (out.filter(RunFolder.NONE::equals).isPresent()) {
      throw new UsageException(
          "--out none cannot be combined with --resume: name the folder of run '%s'"
              .formatted(run));
    }
    Resumption resumption = in(RunFolder.resume(folder(run, out)));
    resumption.check(queue, run, consistency, claim);
    return resumption;
  }

  /** The resume of the run in a folder, as it was submitted. */
  static Resumption in(RunFolder folder) {
    return new Resumption(folder, folder.header());
  }

  /**
   * The cluster of a run whose folder is here.
   *
   * @param out {@code --out}, if given
   * @throws UsageException if the folder is not here
   */
  static String queue(String run, Optional<String> out) {
    return RunFolder.headerIn(folder(run, out))
        .map(RunHeader::queue)
        .orElseThrow(() -> notHere(run));
  }

  /** The run has no folder here. */
  private static UsageException notHere(String run) {
    return new UsageException(
        "missing required option: '-s QUEUE', because no run '%s' has its folder here; see %s client --help"
            .formatted(run, Launcher.name()));
  }

  private static Path folder(String run, Optional<String> out) {
    RunFolder.requireName(out);
    return out.map(Path::of)
        .or(() -> RunsHere.find(run, RunFolder.JOURNAL))
        .orElse(RunFolder.ofRun(run));
  }

  private void check(
      String queue, String run, Optional<Consistency> consistency, Optional<ClaimScope> claim) {
    if (!header.run().equals(run) || !header.queue().equals(queue)) {
      throw new UsageException(
          "%s holds run '%s' of cluster '%s', not run '%s' of cluster '%s'; name the folder of that run with --out DIR"
              .formatted(place(), header.run(), header.queue(), run, queue));
    }
    if (consistency.isPresent() && consistency.get() != header.consistency()) {
      throw new UsageException(
          "--consistency %s: run '%s' keeps what it was submitted with, %s"
              .formatted(consistency.get().label(), run, header.consistency().label()));
    }
    if (claim.isPresent() && claim.get() != header.claim()) {
      throw new UsageException(
          "--claim %s: run '%s' keeps what it was submitted with, %s"
              .formatted(claim.get().label(), run, header.claim().label()));
    }
    if (header.digest().isEmpty()) {
      throw new UsageException(
          "run '%s' was streamed, so its tasks cannot be read again; cancel it with: %s cancel -s %s %s"
              .formatted(run, Launcher.name(), queue, run));
    }
  }

  /**
   * The directory in which the run's first client was started, to which the paths of its tasks'
   * files are relative.
   */
  Path directory() {
    return folder.path().flatMap(KeptOptions::in).map(KeptOptions::directory).orElse(Path.of(""));
  }

  /** The options that the run was submitted with, by their longest names; none if unknown. */
  Map<String, List<String>> submitted() {
    return folder.path().flatMap(KeptOptions::in).map(KeptOptions::options).orElse(Map.of());
  }

  /** The path of the run's folder. */
  String place() {
    return folder.path().map(Path::toString).orElse("");
  }

  /**
   * The file from which to read the workload.
   *
   * @param named {@code -w}, if given
   */
  String workload(Optional<String> named) {
    if (named.isPresent() && header.spooled()) {
      throw new UsageException(
          "-w cannot be combined with --resume %s: the run's tasks are in its folder; leave it out"
              .formatted(header.run()));
    }
    String file = named.orElseGet(() -> kept().orElse(header.file()));
    if (named.isEmpty() && file.equals("-")) {
      throw notInFile("standard input or a pipe");
    }
    if (named.isEmpty() && file.equals(header.file()) && !SentWorkload.isInFile(header)) {
      throw notInFile(file);
    }
    return file;
  }

  private UsageException notInFile(String source) {
    return new UsageException(
        "run '%s' read its workload from %s; name it with -w FILE, or pipe it again with -w -"
            .formatted(header.run(), source));
  }

  /** Opens the workload; the spool of a run whose tasks came one by one is read as it was left. */
  Workload open(String file, Consistency consistency) {
    return header.spooled()
        ? SentWorkload.openSpool(Path.of(file))
        : new TaskFile(file, false).open(RunChecks.of(consistency));
  }

  /**
   * The workload to send after this client has taken over the run. A spool is opened again, because
   * the previous client may have added tasks until the takeover.
   */
  Workload again(Workload opened, String file) {
    return header.spooled() ? SentWorkload.openSpool(Path.of(file)) : opened;
  }

  /**
   * The copy in the run's folder, if the file that was sent no longer exists, or if it is the copy
   * itself: if the folder was moved, the path in the header may belong to another run by now.
   */
  private Optional<String> kept() {
    Path sent = Path.of(header.file());
    Optional<Path> copy = folder.path().flatMap(KeptWorkload::in);
    return header.spooled() || !Files.exists(sent) || (KeptWorkload.isNamed(sent) && isKept())
        ? copy.map(Path::toString)
        : Optional.empty();
  }

  /** Reads the copy only if the folder was moved: it is read again to resume the run. */
  private boolean isKept() {
    Path sent = Path.of(header.file());
    return folder
        .path()
        .filter(in -> KeptWorkload.is(sent, in) || SentWorkload.isKept(header, in))
        .isPresent();
  }

  /** Checks that the workload is the one with which the run was submitted. */
  void checkSame(Workload workload, String name) {
    String digest = workload.summary().map(WorkloadSummary::sha256).orElse("");
    if (!header.spooled() && !digest.equals(header.digest())) {
      throw new UsageException(
          "%s is not the workload that run '%s' was submitted with (SHA-256 %s, expected %s); name that workload with -w FILE"
              .formatted(name, header.run(), shortened(digest), shortened(header.digest())));
    }
  }

  private static String shortened(String digest) {
    return digest.substring(0, Math.min(12, digest.length())) + "…";
  }
}
