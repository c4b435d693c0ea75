package io.cloudkon.client.workload;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.ship.FileNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the files that single tasks need, without reading them, and that they fit into the task's
 * directory. Costs two file system calls per file. Immutable.
 *
 * @param directory the folder to which the files' paths are relative
 * @param shipped the names of the shipped files and folders, which every task finds in its
 *     directory
 * @param collects whether the run collects files from every command
 * @param unkept why files that a task brings back cannot be kept; empty if they can
 * @param option the option that names the files, for messages; empty if the tasks' lines do
 */
public record TaskFilesCheck(
    Path directory,
    Set<String> shipped,
    boolean collects,
    Optional<String> unkept,
    Optional<String> option) {
  public TaskFilesCheck {
    shipped = Set.copyOf(shipped);
  }

  /** The check of files that the tasks' lines name. */
  public TaskFilesCheck(
      Path directory, Set<String> shipped, boolean collects, Optional<String> unkept) {
    this(directory, shipped, collects, unkept, Optional.empty());
  }

  /** The same check of files that an option of the command line names. */
  TaskFilesCheck namedBy(String of) {
    return new TaskFilesCheck(directory, shipped, collects, unkept, Optional.of(of));
  }

  /**
   * Checks a task's files.
   *
   * @throws UsageException instead of a {@link BadLineException} if an option named a bad file: its
   *     user has not written the line
   */
  void check(TaskDraft draft) throws BadLineException {
    boolean command = draft.kind == Work.Kind.EXEC && draft.ranks == 0;
    boolean brings = collects && command && draft.collect == null;
    if (brings && draft.startsElsewhere()) {
      throw new BadLineException(
          "\"dir\" is absolute, but --collect takes files from a fresh directory of the task's own",
          "expected a folder in it, or no dir");
    }
    if (unkept.isPresent() && draft.collect != null && !draft.collect.isEmpty()) {
      throw new BadLineException(
          "\"collect\" brings files to the run's folder, but " + unkept.get(),
          "expected a folder for them, or no collect");
    }
    check(draft.files);
  }

  /** The first fault of a task's own files; empty if there is none. */
  public Optional<String> problem(List<String> files) {
    try {
      check(files);
      return Optional.empty();
    } catch (BadLineException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private void check(List<String> files) throws BadLineException {
    for (String file : files) {
      int slash = file.indexOf('/');
      String first = slash < 0 ? file : file.substring(0, slash);
      if (shipped.contains(first)) {
        refuse(
            file,
            "conflicts with %s, which --ship sends".formatted(Printable.line(first)),
            "expected it under another name, or only shipped");
      }
      String fault = fault(directory.resolve(FileNames.path(file)));
      if (!fault.isEmpty()) {
        refuse(
            file,
            fault,
            "expected a file that can be read, named from " + directory.toAbsolutePath());
      }
    }
  }

  private void refuse(String file, String problem, String remedy) throws BadLineException {
    if (option.isPresent()) {
      throw new UsageException(
          "%s: %s %s; %s".formatted(option.get(), Excerpt.quote(file), problem, remedy));
    }
    throw new BadLineException("its file %s %s".formatted(Excerpt.quote(file), problem), remedy);
  }

  private static String fault(Path file) {
    if (Files.isRegularFile(file)) {
      return Files.isReadable(file) ? "" : "is not readable";
    }
    if (!Files.exists(file)) {
      return "does not exist";
    }
    return Files.isDirectory(file) ? "is a folder, which --ship can send" : "is not a file";
  }
}
