package io.cloudkon.provisioner.launch;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.TransientServiceException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launches for one cluster on this machine: a file {@code TOKEN.launch} per launch, and a file
 * {@code TOKEN.K} per started instance, which that process itself writes. Every file appears
 * complete and only once: it is written under another name and then linked. Thread safe, also among
 * processes.
 */
final class LaunchFolder {
  private static final String LAUNCH = ".launch";
  private static final String REFUSED = "refused";

  private static final Logger LOG = LoggerFactory.getLogger(LaunchFolder.class);

  private final Path folder;

  /** The tokens whose files were reported as damaged. */
  private final Set<String> damaged = ConcurrentHashMap.newKeySet();

  private LaunchFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Creates the folder if it does not exist, accessible only to its user.
   *
   * @throws UsageException if it cannot be created, or belongs to another user
   */
  static LaunchFolder open(Path folder) {
    try {
      Files.createDirectories(folder, privately());
      Path mine = Files.createTempFile(folder, "new", null);
      boolean own = Files.getOwner(folder).equals(Files.getOwner(mine));
      Files.delete(mine);
      if (!own) {
        throw new UsageException(
            "--state %s: the folder belongs to another user; name one of your own"
                .formatted(folder));
      }
    } catch (IOException e) {
      throw new UsageException(
          "--state %s: the folder cannot be used: %s; name one that is writable"
              .formatted(folder, FileTrouble.words(e)),
          e);
    }
    return new LaunchFolder(folder);
  }

  private static FileAttribute<?>[] privately() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  Path path() {
    return folder;
  }

  /**
   * Writes a launch.
   *
   * @return false if the token already has a launch, which is kept
   */
  boolean claim(String token, LaunchOrder order) {
    return link(folder.resolve(token + LAUNCH), order.lines());
  }

  /** The launch of a token; empty if there is none, or its file was damaged. */
  Optional<LaunchOrder> order(String token) {
    Path file = folder.resolve(token + LAUNCH);
    Optional<List<String>> lines = lines(file);
    Optional<LaunchOrder> order = lines.flatMap(LaunchOrder::parse);
    if (lines.isPresent() && order.isEmpty() && damaged.add(token)) {
      LOG.warn("'{}' is damaged: it is no longer known what was launched", file);
    }
    return order;
  }

  /** Every token that has a launch. */
  List<String> tokens() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(LAUNCH))
          .map(name -> name.substring(0, name.length() - LAUNCH.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw broken("launches in '%s' cannot be listed".formatted(folder), e);
    }
  }

  /** The file into which an instance's process writes its number. */
  Path instance(String id) {
    return folder.resolve(id);
  }

  /** Whether an instance was started or refused, so that it must not be started any more. */
  boolean settled(String id) {
    return Files.exists(instance(id));
  }

  /** Records that an instance could not be started and will never be started. */
  void refuse(String id) {
    boolean unused = link(instance(id), List.of(REFUSED));
  }

  /** The process of an instance; empty if it was not started. */
  Optional<StartedProcess> process(String id) {
    Path file = instance(id);
    return lines(file)
        .filter(lines -> lines.size() >= StartedProcess.LINES)
        .map(lines -> StartedProcess.parse(lines, modified(file)));
  }

  /** Removes all files of a launch. */
  void forget(String token, List<String> instances) {
    try {
      for (String id : instances) {
        Files.deleteIfExists(instance(id));
      }
      Files.deleteIfExists(folder.resolve(token + LAUNCH));
    } catch (IOException e) {
      throw broken("launch '%s' cannot be removed".formatted(token), e);
    }
  }

  private boolean link(Path file, List<String> lines) {
    try {
      Path whole = Files.createTempFile(folder, "new", null);
      try {
        Files.write(whole, lines, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.createLink(file, whole);
        return true;
      } catch (FileAlreadyExistsException e) {
        return false;
      } finally {
        Files.delete(whole);
      }
    } catch (IOException e) {
      throw broken("'%s' cannot be written".formatted(file), e);
    }
  }

  private static Optional<List<String>> lines(Path file) {
    try {
      return Optional.of(new ArrayList<>(Files.readAllLines(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw broken("'%s' cannot be read".formatted(file), e);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw broken("'%s' cannot be read".formatted(file), e);
    }
  }

  /** A failure such as a full disk, which may be over at the next reading. */
  private static TransientServiceException broken(String what, IOException why) {
    return new TransientServiceException(what + ": " + why, why);
  }
}
