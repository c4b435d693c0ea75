package io.cloudkon.client.report;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a run's files: {@code results.jsonl}, {@code report.json}, {@code journal}, {@code
 * cloudkon.json}, a {@link KeptWorkload} for tasks that are in no other file, and {@code files}. It
 * is chosen and checked before anything is sent; {@link #prepare} then creates it. Used by one
 * thread.
 */
public final class RunFolder {
  /** The value of {@code --out} that asks for no files. */
  public static final String NONE = "none";

  /** The file of its results. */
  public static final String RESULTS = "results.jsonl";

  public static final String REPORT = "report.json";

  /** The file in which the client records what it sends. */
  public static final String JOURNAL = "journal";

  /** The file in which a rerun records its first run. */
  public static final String RERUN = "rerun";

  /** The state of the folder before the run. */
  private enum Before {
    /** There is no folder. */
    NOTHING,
    EMPTY,
    /** Files of a former run, if any, which are replaced. */
    FORMER,
    /** Files of this run, which are continued. */
    RESUMED
  }

  private final @Nullable Path path;
  private final Before before;
  private final List<KeptFile> kept;

  private RunFolder(@Nullable Path path, Before before, List<KeptFile> kept) {
    this.path = path;
    this.before = before;
    this.kept = kept;
  }

  /**
   * Chooses the folder of a new run. Changes nothing on disk.
   *
   * @param run the run's id
   * @param out {@code --out}: a folder, or {@value #NONE}; empty means {@code cloudkon-RUN} here
   * @param force {@code --force}: the folder of a former run may be used, and that run's files
   *     replaced; an empty folder may be used without it
   * @throws UsageException if it exists and may not be used, is not a folder, is that of a run on
   *     which a client of this machine works, or holds files and is not a former run's
   */
  public static RunFolder choose(String run, Optional<String> out, boolean force) {
    if (out.filter(NONE::equals).isPresent()) {
      return new RunFolder(null, Before.NOTHING, List.of());
    }
    requireName(out);
    Path path = out.map(Path::of).orElseGet(() -> ofRun(run));
    Before before = Before.NOTHING;
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      before = !force && FormerRun.isEmpty(path) ? Before.EMPTY : Before.FORMER;
      if (before == Before.FORMER) {
        FormerRun.check(path, force);
      }
    }
    requirePlace(path);
    return new RunFolder(path, before, List.of());
  }

  /** Refuses an empty name of the folder, the value of {@code --out}. */
  public static void requireName(Optional<String> out) {
    if (out.filter(String::isEmpty).isPresent()) {
      throw RefusedFolder.unnamed();
    }
  }

  /**
   * Throws {@link UsageException} if a folder cannot be created, or exists and cannot be written
   * to. A run that found out later would already have left an entry in its cluster.
   */
  public static void requirePlace(Path path) {
    Path place = path.toAbsolutePath().normalize();
    while (place.getParent() != null && !Files.exists(place)) {
      place = place.getParent();
    }
    if (!Files.isDirectory(place) || !Files.isWritable(place)) {
      throw RefusedFolder.cannotCreateIn(path, place);
    }
  }

  /** The default folder of a run's files, without {@code --out}. */
  public static Path ofRun(String run) {
    return Path.of("cloudkon-" + run);
  }

  /**
   * The folder of a run to resume, whose results and journal are continued.
   *
   * @throws UsageException if there is no journal in it
   */
  public static RunFolder resume(Path path) {
    if (!Files.isRegularFile(path.resolve(JOURNAL))) {
      throw new UsageException(
          Files.isDirectory(path)
              ? "cannot resume from %s: there is no journal in it; name the run's folder with --out DIR"
                  .formatted(path)
              : "cannot resume from %s: there is no such folder; correct the run's id, or name its folder with --out DIR; %s"
                  .formatted(path, RunsHere.with(JOURNAL)));
    }
    return new RunFolder(path, Before.RESUMED, List.of());
  }

  /**
   * The journal's header, of a run to resume.
   *
   * @throws UsageException if there is none that can be read; the message says whether anything of
   *     the run was sent
   */
  public JournalEntry.RunHeader header() {
    if (path == null) {
      throw new IllegalStateException("a run without files has no journal");
    }
    return JournalReader.headerToResume(path.resolve(JOURNAL), path);
  }

  /**
   * The same folder, in which {@link #prepare} also writes a file.
   *
   * @throws UsageException if that would replace a file of the user's
   */
  public RunFolder keeping(KeptFile file) {
    if (path != null && KeptWorkload.NAMES.contains(file.name())) {
      KeptWorkload.check(path, file.name());
    }
    return new RunFolder(path, before, Stream.concat(kept.stream(), Stream.of(file)).toList());
  }

  /**
   * The same folder, in which {@link #prepare} also records what the run was submitted with.
   *
   * @see KeptOptions
   */
  public RunFolder recording(Path directory, Map<String, List<String>> options) {
    // A former run's remains if this one has none.
    Optional<String> workload = keptName().or(() -> path().flatMap(KeptWorkload::ofFormerRun));
    KeptFile recorded = new KeptOptions(directory, workload, options).file();
    // First, so that whoever finds a workload also finds whose it is.
    return new RunFolder(path, before, Stream.concat(Stream.of(recorded), kept.stream()).toList());
  }

  /**
   * The path of the copy of the run's tasks, which {@link #prepare} writes; empty if there is none.
   */
  public Optional<Path> keptWorkload() {
    return path().flatMap(folder -> keptName().map(folder::resolve));
  }

  private Optional<String> keptName() {
    return kept.stream().map(KeptFile::name).filter(KeptWorkload.NAMES::contains).findFirst();
  }

  /** The header of the journal in a folder; empty if there is none that can be read. */
  public static Optional<JournalEntry.RunHeader> headerIn(Path folder) {
    return JournalReader.headerIfReadable(folder.resolve(JOURNAL));
  }

  /**
   * Creates the folder if there is none, and removes a former run's own files from it and nothing
   * else. Does nothing for a resumed run.
   *
   * @throws UsageException if it has come to exist or hold files meanwhile, a client of this
   *     machine has begun to work on the run in it, or it cannot be created
   */
  public void prepare() {
    if (path == null || before == Before.RESUMED) {
      return;
    }
    boolean made = false;
    try {
      Path parent = path.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      if (before == Before.NOTHING || !Files.isDirectory(path)) {
        Files.createDirectory(path);
        made = true;
        AppendFile.syncFolder(path);
      }
      if (!Files.isWritable(path)) {
        throw new IOException("it is not writable");
      }
      if (before == Before.EMPTY && !FormerRun.isEmpty(path)) {
        throw RefusedFolder.exists(path);
      }
      FormerRun.remove(path, keptWorkload().isPresent());
      for (KeptFile file : kept) {
        file.copy().writeTo(path.resolve(file.name()));
      }
      AppendFile.syncFolder(path.resolve(JOURNAL));
    } catch (FileAlreadyExistsException e) {
      throw path.toString().equals(e.getFile())
          ? RefusedFolder.exists(path)
          : RefusedFolder.unusable(path, e);
    } catch (IOException e) {
      if (made || before == Before.EMPTY) {
        FormerRun.discard(path, made); // half of a run's files would be in the way
      }
      throw RefusedFolder.unusable(path, e);
    }
  }

  /** Why files that tasks bring back cannot be kept in it; empty if they can. */
  public Optional<String> unkeptFiles() {
    return path == null
        ? Optional.of("this run has none")
        : FilesFolder.foreignIn(path).map(file -> file + " does not belong to a run");
  }

  /** The folder's path; empty for {@code --out none}. */
  public Optional<Path> path() {
    return Optional.ofNullable(path);
  }

  /**
   * Opens the file of results; the caller closes it.
   *
   * @throws CloudKonException if it cannot be written
   */
  public ResultSink openResults() {
    if (path == null) {
      return ResultSink.none();
    }
    Path file = path.resolve(RESULTS);
    return before == Before.RESUMED ? ResultsFile.append(file) : ResultsFile.create(file);
  }

  /**
   * Opens the results of a resumed run to continue them; the caller closes them.
   *
   * @param length the number of bytes in whole lines, from {@link #readResults}
   * @throws CloudKonException if it cannot be written
   */
  public ResultSink openResults(long length) {
    return path == null ? ResultSink.none() : ResultsFile.append(path.resolve(RESULTS), length);
  }

  /**
   * Reads the results that a former client of the run wrote.
   *
   * @return the number of bytes in whole lines
   * @throws CloudKonException if they cannot be read
   */
  public long readResults(Consumer<ResultRecord> to) {
    return path == null ? 0 : ResultsReader.read(path.resolve(RESULTS), to);
  }

  /**
   * Opens the journal, in which the client records what it sends; the caller closes it. While it is
   * open, no other process on this machine can open it and write to the run's files. It must be
   * opened before any of them is read or cut.
   *
   * @throws CloudKonException if it cannot be written, or another process has it open
   */
  public Journal openJournal() {
    if (path == null) {
      return Journal.none();
    }
    Path file = path.resolve(JOURNAL);
    return before == Before.RESUMED ? JournalFile.append(file) : JournalFile.create(file);
  }

  /**
   * Writes {@code report.json} atomically.
   *
   * @throws CloudKonException if it cannot be written
   */
  public void writeReport(RunReport report) {
    if (path != null) {
      ReportJson.write(path.resolve(REPORT), report);
    }
  }
}
