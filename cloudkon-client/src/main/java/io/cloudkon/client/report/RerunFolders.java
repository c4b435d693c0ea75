package io.cloudkon.client.report;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The folders of a run's reruns, which are numbered and lie in the run's folder. Stateless. */
public final class RerunFolders {
  private static final String PREFIX = "rerun-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "([1-9][0-9]{0,8})");

  private RerunFolders() {}

  /** The folder of a rerun, which may not exist. */
  public static Path of(Path run, int number) {
    return run.resolve(PREFIX + number);
  }

  /**
   * The existing folders by number; somebody may have removed one.
   *
   * @throws CloudKonException if the run's folder cannot be read
   */
  public static SortedMap<Integer, Path> in(Path run) {
    SortedMap<Integer, Path> reruns = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(run, PREFIX + "*")) {
      for (Path path : all) {
        Matcher name = NAME.matcher(path.getFileName().toString());
        if (name.matches()) {
          reruns.put(Integer.parseInt(name.group(1)), path);
        }
      }
      return reruns;
    } catch (IOException | DirectoryIteratorException e) {
      throw new LocalFileException("%s cannot be read: %s".formatted(run, e.getMessage()), e);
    }
  }
}
