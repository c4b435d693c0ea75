package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The idle stages, which wait for their next command. There are never more of them than commands
 * ran at the same time: a stage for other files replaces the oldest. Thread safe.
 */
final class Stages {
  private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

  /** A smaller stage is copied faster than it and its last command are checked. */
  private static final int WORTH_KEEPING = 16;

  /** The maximum number of files that are remembered, some 500 bytes each; further ones are not. */
  private static final int REMEMBERED = 200_000;

  private final List<StagedDirectory> idle = new ArrayList<>();
  private long remembered;
  private @Nullable Boolean trusted;

  /** Creates an empty folder. */
  interface Place {
    Path make() throws IOException;
  }

  /**
   * Takes a stage with these shipped files, as if it were fresh.
   *
   * @throws TaskInterruptedException if the slot was interrupted, or its task was killed
   */
  StagedDirectory take(List<Path> ships, Place place, Interruption interruption)
      throws IOException, TaskInterruptedException {
    while (true) {
      check(interruption);
      StagedDirectory stage = take(ships);
      if (stage == null) {
        break;
      }
      boolean ready = false;
      try {
        if (stage.isQuiet()) {
          stage.restore(interruption);
          ready = true;
          return stage;
        }
      } catch (IOException e) {
        LOG.debug("{} is copied anew: {}", stage.folder(), e.toString());
      } finally {
        if (!ready) {
          remove(List.of(stage));
        }
      }
    }
    StagedDirectory victim = takeOldest();
    if (victim != null) {
      remove(List.of(victim));
    }
    return fresh(ships, place, interruption);
  }

  /** Avoids discarding a stage because an interrupt prevents the check of its last command. */
  private static void check(Interruption interruption) throws TaskInterruptedException {
    interruption.check();
    if (Thread.currentThread().isInterrupted()) {
      throw interruption.exception();
    }
  }

  private StagedDirectory fresh(List<Path> ships, Place place, Interruption interruption)
      throws IOException, TaskInterruptedException {
    try {
      return copy(ships, place.make(), interruption);
    } catch (IOException e) {
      List<StagedDirectory> all = takeAll();
      if (all.isEmpty()) {
        throw e;
      }
      // they may occupy the space that it needs
      remove(all);
      return copy(ships, place.make(), interruption);
    }
  }

  private StagedDirectory copy(List<Path> ships, Path folder, Interruption interruption)
      throws IOException, TaskInterruptedException {
    boolean ready = false;
    try {
      StagedDirectory stage = StagedDirectory.of(folder, ships, interruption);
      synchronized (this) {
        if (remembered + stage.size() <= REMEMBERED) {
          remembered += stage.size();
        } else {
          stage.forget();
        }
      }
      ready = true;
      return stage;
    } finally {
      if (!ready) {
        FileTrees.remove(folder);
      }
    }
  }

  /** The stage with these files that was used last; null if there is none. */
  private synchronized @Nullable StagedDirectory take(List<Path> ships) {
    for (int i = idle.size() - 1; i >= 0; i--) {
      if (idle.get(i).holds(ships)) {
        return idle.remove(i);
      }
    }
    return null;
  }

  private synchronized @Nullable StagedDirectory takeOldest() {
    return idle.isEmpty() ? null : idle.removeFirst();
  }

  private synchronized List<StagedDirectory> takeAll() {
    List<StagedDirectory> all = List.copyOf(idle);
    idle.clear();
    return all;
  }

  /** Takes back a stage whose command has ended by itself. */
  void giveBack(StagedDirectory stage) {
    List<StagedDirectory> unwanted = withoutSources();
    if (stage.size() >= WORTH_KEEPING && tellsAll(stage) && stage.hasSources() && cleared(stage)) {
      synchronized (this) {
        idle.add(stage);
      }
    } else {
      unwanted.add(stage);
    }
    remove(unwanted);
  }

  /** Removes a stage that is not used again: its command had to be killed, or never started. */
  void drop(StagedDirectory stage) {
    remove(List.of(stage));
  }

  /** Whether every change shows; determined once, because all stages lie in one file system. */
  private synchronized boolean tellsAll(StagedDirectory stage) {
    Boolean known = trusted;
    if (known == null) {
      known = FileStatus.tellsAll(stage.folder());
      trusted = known;
    }
    return known;
  }

  private static boolean cleared(StagedDirectory stage) {
    try {
      stage.clear();
      return true;
    } catch (IOException e) {
      LOG.debug("{} is not used again: {}", stage.folder(), e.toString());
      return false;
    }
  }

  /** Takes out the stages whose originals were removed to make room. */
  private synchronized List<StagedDirectory> withoutSources() {
    List<StagedDirectory> gone = new ArrayList<>();
    for (Iterator<StagedDirectory> all = idle.iterator(); all.hasNext(); ) {
      StagedDirectory stage = all.next();
      if (!stage.hasSources()) {
        gone.add(stage);
        all.remove();
      }
    }
    return gone;
  }

  private void remove(List<StagedDirectory> stages) {
    for (StagedDirectory stage : stages) {
      FileTrees.remove(stage.folder());
      synchronized (this) {
        remembered -= stage.size();
      }
    }
  }
}
