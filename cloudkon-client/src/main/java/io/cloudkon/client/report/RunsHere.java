package io.cloudkon.client.report;

import io.cloudkon.core.cli.Printable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The runs whose folders lie in this process's directory. Stateless. */
public final class RunsHere {
  private static final int SHOWN = 5;

  private RunsHere() {}

  /**
   * The newest ones, as a clause of a message.
   *
   * @param file that they have
   */
  public static String with(String file) {
    List<String> found = newest(file);
    return found.isEmpty()
        ? "there are none here"
        : "runs here: " + found.stream().map(Printable::line).collect(Collectors.joining(", "));
  }

  private static List<String> newest(String file) {
    Comparator<Path> byTime = Comparator.comparingLong(path -> path.toFile().lastModified());
    return folders(file).stream()
        .sorted(byTime.reversed())
        .limit(SHOWN)
        .map(
            path -> path.toString().replaceFirst(Pattern.quote(RunFolder.ofRun("").toString()), ""))
        .toList();
  }

  /** Where the run lies whose folder has another name than the usual one; empty if not here. */
  public static Optional<Path> find(String run, String file) {
    return folders(file).stream()
        .filter(folder ->
            RunFolder.headerIn(folder).filter(header -> header.run().equals(run)).isPresent())
        .findFirst();
  }

  /** All of them. */
  public static List<Path> all() {
    return folders(RunFolder.JOURNAL);
  }

  private static List<Path> folders(String file) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of(""))) {
      for (Path folder : all) {
        if (Files.isRegularFile(folder.resolve(file)) && FolderState.hasJournal(folder)) {
          found.add(folder);
        }
      }
      return found;
    } catch (IOException e) {
      return List.of();
    }
  }
}
