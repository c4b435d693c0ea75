package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the runs whose folders are in this process's directory. Stateless. */
public final class RunsHere {
  private static final Path HERE = Path.of("");
  private static final int SHOWN = 5;

  private RunsHere() {}

  /**
   * The newest runs, as a clause of a message.
   *
   * @param file the file that their folders must hold
   */
  public static String with(String file) {
    return with(file, HERE);
  }

  /** Likewise for runs in the given folder. */
  static String with(String file, Path here) {
    List<String> found = newest(file, here);
    return found.isEmpty()
        ? "there are none here"
        : "runs here: " + found.stream().map(Printable::line).collect(Collectors.joining(", "));
  }

  private static List<String> newest(String file, Path here) {
    Comparator<Path> byTime = Comparator.comparingLong(path -> path.toFile().lastModified());
    return folders(file, here).stream()
        .sorted(byTime.reversed())
        .limit(SHOWN)
        .map(path -> here.relativize(path).toString())
        .map(name -> name.replaceFirst(Pattern.quote(RunFolder.ofRun("").toString()), ""))
        .toList();
  }

  /**
   * Finds the folder of a run by its journal, whatever the folder's name; empty if it is not here.
   * Looks first where the run's folder is by default.
   */
  public static Optional<Path> find(String run, String file) {
    return find(run, file, HERE);
  }

  /** Likewise for runs in the given folder. */
  public static Optional<Path> find(String run, String file, Path here) {
    Path usual = here.resolve(RunFolder.ofRun(run));
    return Files.isRegularFile(usual.resolve(file)) && isOf(run, usual)
        ? Optional.of(usual)
        : folders(file, here).stream().filter(folder -> isOf(run, folder)).findFirst();
  }

  /**
   * The folder of the run whose id a name is, if {@link #folder} finds another run by that name;
   * empty if the name can mean one run only.
   */
  public static Optional<Path> otherNamed(String name) {
    return otherNamed(name, HERE);
  }

  /** Likewise for runs in the given folder. */
  static Optional<Path> otherNamed(String name, Path here) {
    return folder(name, RunFolder.JOURNAL, here)
        .filter(folder -> !isOf(name, folder))
        .flatMap(folder -> find(name, RunFolder.JOURNAL, here));
  }

  private static boolean isOf(String run, Path folder) {
    return RunFolder.headerIn(folder).filter(header -> header.run().equals(run)).isPresent();
  }

  /**
   * Finds the folder of a run that is named by its id or its folder; empty if it is not here.
   *
   * @param file the file that the folder must hold
   */
  public static Optional<Path> folder(String runOrFolder, String file) {
    return folder(runOrFolder, file, HERE);
  }

  private static Optional<Path> folder(String runOrFolder, String file, Path here) {
    if (runOrFolder.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Stream.of(Path.of(runOrFolder), RunFolder.ofRun(runOrFolder))
          .map(here::resolve)
          .filter(folder -> Files.isRegularFile(folder.resolve(file)))
          .findFirst()
          .or(() -> find(runOrFolder, file, here));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * The folder of a run with which {@code FOLDER/TASK} begins, as it is written: the longest part,
   * up to its end or to a slash; empty if there is none.
   *
   * @param here the folder to which it is relative
   * @param file the file that the folder must hold
   */
  public static Optional<String> head(String text, Path here, String file) {
    return Stream.iterate(
            text,
            part -> !part.isEmpty(),
            part -> part.substring(0, Math.max(0, part.lastIndexOf('/'))))
        .filter(part -> Files.isRegularFile(here.resolve(part).resolve(file)))
        .findFirst();
  }

  /** The folders of a run's reruns; none if they cannot be listed. */
  private static List<Path> reruns(Path folder) {
    try {
      return RerunFolders.in(folder).values().stream().filter(FolderState::hasJournal).toList();
    } catch (CloudKonException e) {
      return List.of();
    }
  }

  /** The folders of all runs here, including those of reruns. */
  public static List<Path> all() {
    return folders(RunFolder.JOURNAL, HERE);
  }

  /**
   * The folders of all runs in a folder by the runs' ids; of copies the one with the usual name.
   */
  public static Map<String, Path> byRun(Path here) {
    Map<String, Path> found = new HashMap<>();
    for (Path folder : folders(RunFolder.JOURNAL, here)) {
      RunFolder.headerIn(folder)
          .map(RunHeader::run)
          .ifPresent(run ->
              found.merge(
                  run, folder, (one, other) -> other.endsWith(RunFolder.ofRun(run)) ? other : one));
    }
    return found;
  }

  private static List<Path> folders(String file, Path here) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(here)) {
      for (Path folder : all) {
        if (FolderState.hasJournal(folder)) {
          found.add(folder);
          found.addAll(reruns(folder));
        }
      }
      found.removeIf(folder -> !Files.isRegularFile(folder.resolve(file)));
      return found;
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
  }
}
