package io.cloudkon.client.cli;

import io.cloudkon.client.ship.Shipment;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.process.ShellWord;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file that a run's first command names, and that is here, but is not sent with the tasks: where
 * they start in a folder of their own, they do not find it.
 *
 * @param where the tasks that start in a folder of their own, for messages
 * @param path its path as the command names it
 * @param isProgram whether it is the program itself
 * @param isCertain whether it is certain that the task cannot start: it is an executable program of
 *     a command without a shell, below this folder
 * @param sentAs its path among the shipped files; empty if it is not shipped
 */
record UnsentFile(
    String where, String path, boolean isProgram, boolean isCertain, Optional<Path> sentAs) {
  private static final String CLUSTER = "the tasks of a cluster";
  private static final String FURNISHED = "tasks with --ship, --file or --collect";

  /**
   * Finds the first such file of a run on a cluster. Reads one task only, because tasks of a run
   * are usually alike.
   *
   * @param workload the checked workload
   * @param directory the folder from which the user names files
   * @param shipped what is shipped
   */
  static Optional<UnsentFile> find(Workload workload, Path directory, Shipment shipped) {
    return first(workload).flatMap(task -> find(CLUSTER, task, directory, shipped));
  }

  /**
   * Finds the first such file of a run on LOCAL, where only tasks with files of their own start in
   * a folder of their own: shipped files, input files, or files to bring back.
   *
   * @param collected the run's rule for files to bring back
   * @see #find
   */
  static Optional<UnsentFile> findLocally(
      Workload workload, Path directory, Shipment shipped, CollectRule collected) {
    return first(workload)
        .filter(task ->
            !shipped.isEmpty()
                || hasFiles(
                    task.files(),
                    // files of HPC jobs are not brought back
                    task.work() instanceof Work.Hpc ? CollectRule.NONE : collected))
        .flatMap(task -> find(FURNISHED, task, directory, shipped));
  }

  private static boolean hasFiles(TaskFiles files, CollectRule collected) {
    @Nullable List<String> own = files.collect();
    return !files.inputs().isEmpty() || !(own == null ? collected.patterns() : own).isEmpty();
  }

  private static Optional<Task> first(Workload workload) {
    try (TaskReader reader = workload.readOne(0, 0, 1)) {
      return Optional.ofNullable(reader.next());
    }
  }

  private static Optional<UnsentFile> find(
      String where, Task task, Path directory, Shipment shipped) {
    Work each = task.work() instanceof Work.Hpc hpc ? hpc.each() : task.work();
    if (!(each instanceof Work.Exec exec) || exec.directory() != null) {
      return Optional.empty();
    }
    List<String> words = exec.argv();
    boolean shell =
        words.size() == 3 && words.get(0).equals("/bin/sh") && words.get(1).equals("-c");
    List<String> named =
        shell
            ? List.of(words.get(2).replaceAll(">>?\\s*\\S+", "").split("[\\s'\"<|&;()]+"))
            : words;
    List<String> own = task.files().inputs().stream().map(InputFile::path).toList();
    return IntStream.range(0, named.size())
        .boxed()
        .flatMap(i ->
            paths(named.get(i))
                .map(path ->
                    new UnsentFile(
                        where,
                        path,
                        i == 0,
                        i == 0 && !shell && path.equals(named.get(i)),
                        Optional.empty())))
        .filter(file -> file.isHere(directory))
        .filter(file ->
            !shipped.names().contains(file.top()) && !own.contains(file.normal().toString()))
        .findFirst()
        .map(file -> file.in(directory, shipped.paths()));
  }

  /** The same, with what the files in the folder tell about it. */
  private UnsentFile in(Path directory, List<Path> ships) {
    Path file = directory.resolve(path).toAbsolutePath().normalize();
    Optional<Path> name =
        ships.stream()
            .map(ship -> directory.resolve(ship).toAbsolutePath().normalize())
            .filter(ship -> file.startsWith(ship) && ship.getParent() != null)
            .map(ship -> ship.getParent().relativize(file))
            .findFirst();
    return new UnsentFile(
        where, path, isProgram, isCertain && !isOutside() && Files.isExecutable(file), name);
  }

  /** The word, or what follows {@code =} in it. */
  private static Stream<String> paths(String word) {
    int equals = word.indexOf('=');
    return equals < 0 ? Stream.of(word) : Stream.of(word, word.substring(equals + 1));
  }

  /**
   * Whether it is a relative path of an existing file. A name without a dot may be any word, and a
   * folder may be one that the command writes to.
   */
  private boolean isHere(Path directory) {
    boolean isPath = path.contains("/") || (!isProgram && path.contains("."));
    if (!isPath || path.startsWith("-")) {
      return false;
    }
    try {
      Path relative = normal();
      return !relative.isAbsolute()
          && !relative.toString().isEmpty()
          && Files.isRegularFile(directory.resolve(relative));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private Path normal() {
    return Path.of(path).normalize();
  }

  /** The name of the file or folder that has to be shipped, so that the path stays valid. */
  private String top() {
    return normal().getName(0).toString();
  }

  private boolean isOutside() {
    return normal().startsWith("..");
  }

  /** The hint for the user. */
  String hint() {
    String todo = sentAs.map(this::named).orElseGet(() -> isOutside() ? renamed() : sent());
    return "%s start in a folder of their own and do not find %s: %s"
        .formatted(where, ShellWord.of(path), todo);
  }

  /** It is shipped, and has another path there. */
  private String named(Path shipped) {
    return "it is shipped, so name it %s in the command"
        .formatted(program(shipped.toString(), shipped.getNameCount() > 1));
  }

  /** A path in the task's directory as the command must spell it. */
  private String program(String name, boolean hasFolder) {
    return ShellWord.of(isProgram && !hasFolder ? "./" + name : name);
  }

  /** A path out of this folder cannot stay valid. */
  private String renamed() {
    Path file = normal();
    int names = file.getNameCount();
    boolean hasFolder = !file.getName(names - 2).toString().equals("..");
    Path shipped = hasFolder ? file.subpath(0, names - 1) : file;
    String name = file.subpath(hasFolder ? names - 2 : names - 1, names).toString();
    return "send it with --ship %s, and name it %s in the command"
        .formatted(ShellWord.of(shipped.toString()), program(name, hasFolder));
  }

  private String sent() {
    String ship = "--ship " + ShellWord.of(top());
    return "send it with "
        + (isProgram ? ship : ship + " to every task, or to each its own with --file");
  }
}
