package io.cloudkon.client.dead;

import io.cloudkon.client.dead.DeadLetter.Tasks;
import io.cloudkon.client.dead.DeadLetter.Undecodable;
import io.cloudkon.client.status.Say;
import io.cloudkon.client.workload.TaskFilesCheck;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.process.Launcher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Moves dead letters into a new run. A letter is deleted only when the request queue has accepted
 * every bundle that holds one of its tasks. Before that, in this order, the new run's workload file
 * is written and synced, its journal is begun, and the bundles' ranges are synced to the journal.
 * So if this process dies
 *
 * <ul>
 *   <li>before the deletion, the letter reappears in its queue within {@link HeldLetters#HIDDEN}.
 *       Those of its tasks that were sent continue in the new run, and run once more if the letter
 *       is redriven again: twice at worst, never lost. A {@code --resume} of the new run sends the
 *       rest and leaves the letter;
 *   <li>after the deletion, every task is in a message of the request queue, and {@code --resume}
 *       of the new run finds bundles and workload on disk.
 * </ul>
 *
 * <p>Used by one thread, except for the run's own sends through {@link #cluster}.
 */
public final class Redrive implements AutoCloseable {
  private final Cluster cluster;
  private final Path file;
  private final LetterReading reading;
  private final HeldLetters held;
  private final SentLetters sent = new SentLetters();
  private final List<Bundle> bundles = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private int leftForLater;
  private int letters;
  private int tasks;
  private boolean made;
  private volatile boolean sending;

  private Redrive(Cluster cluster, Path file, LetterReading reading) {
    this.cluster = cluster;
    this.file = file;
    this.reading = reading;
    this.held = new HeldLetters(cluster.dead());
  }

  /**
   * Receives and hides letters, at most 10,000 or 256 MiB, and writes the tasks of those that can
   * be redriven to a workload file. The others are put back at once. If the process is to end
   * before {@link #begin}, it waits up to 5 s until the letters are put back, which is enough for
   * some thousands; the rest reappear by themselves.
   *
   * @param ids prefixes of letters' ids; none means all
   * @param shipped the names of the contents that the new run ships; letters that need others
   *     cannot be redriven
   * @param directory the folder to which the paths of tasks' own files are relative
   * @param file the new workload file, which must not exist; {@link #close} removes it if no task
   *     was sent
   * @throws UsageException if the queue is empty, or an id belongs to no letter or to several
   * @throws LettersInUseException if another program may be reading letters that were not found
   * @throws InterruptedException if interrupted, or if the process is to end before all are taken
   */
  public static Redrive take(
      Cluster cluster,
      DeadLetterBox box,
      List<String> ids,
      List<String> shipped,
      Path directory,
      Path file)
      throws InterruptedException {
    return take(
        cluster, box, ids, shipped, directory, file, HeldLetters.MOST, LetterReading.begin());
  }

  static Redrive take(
      Cluster cluster,
      DeadLetterBox box,
      List<String> ids,
      List<String> shipped,
      Path directory,
      Path file,
      int mostLetters,
      LetterReading reading)
      throws InterruptedException {
    Redrive redrive = new Redrive(cluster, file, reading);
    try {
      ReceivedLetters received =
          new ReceivedLetters(box, redrive.held, new LetterSelection(ids), mostLetters);
      List<DeadLetter> chosen = received.receive(reading);
      redrive.leftForLater = received.left();
      redrive.write(
          chosen, new TaskFilesCheck(directory, Set.copyOf(shipped), false, Optional.empty()));
      reading.check();
      return redrive;
    } catch (Throwable e) {
      redrive.close();
      throw e;
    }
  }

  /**
   * Says that the new run itself now reacts to the end of the process, and puts back the letters by
   * {@link #close}.
   *
   * @throws InterruptedException if the process is to end
   */
  public void begin() throws InterruptedException {
    reading.check();
    reading.close();
  }

  private void write(List<DeadLetter> chosen, TaskFilesCheck files) throws InterruptedException {
    for (DeadLetter letter : chosen) {
      if (letter.contents() instanceof Tasks of) {
        bundles.add(of.bundle());
      }
    }
    NewIds ids = new NewIds(bundles);
    bundles.clear();
    List<String> kept = new ArrayList<>();
    try (RedriveFile out = new RedriveFile(file)) {
      made = true;
      RedriveTasks lines = new RedriveTasks(out, ids, files, cluster.blobs());
      for (DeadLetter letter : chosen) {
        reading.check();
        List<String> problems =
            switch (letter.contents()) {
              case Tasks of -> {
                RedriveTasks.Written written = lines.write(of.bundle());
                if (written.problems().isEmpty()) {
                  sent.expect(letter.id(), written.ordinals());
                  bundles.add(of.bundle());
                }
                yield written.problems();
              }
              case Undecodable what ->
                  List.of(
                      "it holds no tasks that can be read (%s); look at it with: %s dead show -s %s %s"
                          .formatted(
                              what.problem(), Launcher.name(), cluster.name(), letter.shortId()));
            };
        if (problems.isEmpty()) {
          letters++;
        } else {
          problems.forEach(
              why -> refused.add("dead letter %s is kept: %s".formatted(letter.shortId(), why)));
          kept.add(letter.id());
        }
      }
      tasks = lines.count();
      out.sync();
    }
    held.release(kept);
  }

  /** Says which letters stay in the queue, and why: one line for each task concerned. */
  public List<String> refused() {
    return List.copyOf(refused);
  }

  /**
   * About how many letters are left for a later redrive, because a redrive takes a limited number.
   */
  public int leftForLater() {
    return leftForLater;
  }

  /** The number of redriven letters. */
  public int letters() {
    return letters;
  }

  /** The number of tasks of the new run. */
  public int tasks() {
    return tasks;
  }

  /** The number of bytes that the old runs kept of each output; the largest of their values. */
  public int captureBytes() {
    return bundles.stream()
        .mapToInt(b -> b.header().captureBytes())
        .max()
        .orElse(Limits.DEFAULT_CAPTURE_BYTES);
  }

  /**
   * The rule for the files that tasks with patterns bring back, as generous as that of any old run.
   */
  public CollectRule collect() {
    List<CollectRule> rules = bundles.stream().map(b -> b.header().collect()).toList();
    return new CollectRule(
        List.of(),
        rules.stream().anyMatch(CollectRule::failed),
        rules.stream().mapToLong(CollectRule::maxBytes).max().orElse(CollectRule.DEFAULT_BYTES),
        rules.stream().mapToInt(CollectRule::maxFiles).max().orElse(CollectRule.DEFAULT_FILES));
  }

  /** The consistency of the old runs; empty if they differ. */
  public Optional<Consistency> consistency() {
    Set<Consistency> all =
        bundles.stream().map(b -> b.header().consistency()).collect(Collectors.toSet());
    return all.size() == 1 ? all.stream().findFirst() : Optional.empty();
  }

  /** A summary such as {@code 3 tasks of 2 dead letters}. */
  public String summary() {
    return "%s of %s".formatted(Say.count(tasks, "task"), Say.count(letters, "dead letter"));
  }

  /** The cluster in which to run the workload; it records which tasks are sent. */
  public Cluster cluster() {
    return new Cluster(
        cluster.name(),
        watched(cluster.requests()),
        cluster.dead(),
        cluster.responses(),
        cluster.claims(),
        cluster.workers(),
        cluster.runs(),
        cluster.decisions(),
        cluster.blobs(),
        new Cluster.Hpc(
            watched(cluster.hpc().jobs()), cluster.hpc().ranks(), cluster.hpc().ledger()));
  }

  private RequestQueue watched(RequestQueue queue) {
    return new RedriveQueue(queue, () -> sending = true, this::accepted);
  }

  private void accepted(Task task) {
    sent.sent(task.ordinal()).forEach(held::delete);
  }

  /** Puts back the letters that were not sent, and removes the file if nothing was sent. */
  @Override
  public void close() throws InterruptedException {
    try {
      held.close();
      if (made && !sending) {
        RedriveFile.remove(file);
      }
    } finally {
      reading.close();
    }
  }
}
