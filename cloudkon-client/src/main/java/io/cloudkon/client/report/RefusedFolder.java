package io.cloudkon.client.report;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a folder cannot be that of a new run, and what to do. Stateless. */
final class RefusedFolder {
  private RefusedFolder() {}

  /** Its name is empty, perhaps because a variable of a script is. */
  static UsageException unnamed() {
    return new UsageException(
        "--out '': the name of the output folder is empty; expected a folder, or none");
  }

  /** A file in it is not a run's, and {@code --force} would replace it. */
  static UsageException foreign(Path file) {
    return new UsageException(
        "%s does not belong to an earlier run and would be replaced; name another folder with --out DIR"
            .formatted(file));
  }

  /** It holds files, and is no run's: a run's files would lie among them. */
  static UsageException ofNoRun(Path path) {
    return new UsageException(
        "output folder %s holds files and is not an earlier run's, whose results --force replaces; name a new or an empty folder with --out DIR, or write no files with --out none"
            .formatted(path));
  }

  /** Something else has its name. */
  static UsageException noFolder(Path path) {
    return new UsageException(
        "output folder %s is not a folder; name another with --out DIR".formatted(path));
  }

  /** The folder in which it would be created does not exist or is not writable. */
  static UsageException cannotCreateIn(Path path, Path place) {
    return new UsageException(
        "cannot create the output folder %s: %s is not a writable folder; name another with --out DIR"
            .formatted(path, place));
  }

  /** It is a run's, and {@code --force} was not given. */
  static UsageException exists(Path path) {
    return new UsageException(
        "output folder %s exists; name another with --out DIR, replace its results with --force, or write no files with --out none%s"
            .formatted(path, goOn(path)));
  }

  /** A client on this machine works on the run in it, which {@code --force} would cut off. */
  static UsageException attended(Path path) {
    String run =
        RunFolder.headerIn(path)
            .map(header -> "run '%s'".formatted(header.run()))
            .orElse("another run");
    return new UsageException(
        "output folder %s is that of %s, whose client is running on this machine; let that client end, or name another folder with --out DIR"
            .formatted(path, run));
  }

  /**
   * The end of a message that says how to resume the run in a folder; empty if it cannot be
   * resumed.
   */
  private static String goOn(Path path) {
    if (Files.exists(path.resolve(RunFolder.REPORT))) {
      return "";
    }
    return RunFolder.headerIn(path)
        .filter(JournalEntry.RunHeader::isResumable)
        .map(header ->
            "; run '%s' in it is unfinished; resume it with: %s"
                .formatted(header.run(), Resuming.command(header, path)))
        .orElse("");
  }

  /** It cannot be created or written to. */
  static UsageException unusable(Path path, IOException e) {
    return new UsageException(
        "cannot create the output folder %s: %s; name another with --out DIR, or write no files with --out none"
            .formatted(path, reason(path, e)),
        e);
  }

  private static String reason(Path folder, IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
      case FileSystemException f when f.getReason() != null -> f.getFile() + ": " + f.getReason();
      case FileAlreadyExistsException f -> f.getFile() + " is not a folder";
      case NoSuchFileException f when folder.toString().equals(f.getFile()) ->
          "no such file or directory";
      case NoSuchFileException f -> f.getFile() + ": no such file or directory";
      case IOException other -> String.valueOf(other.getMessage());
    };
  }
}
