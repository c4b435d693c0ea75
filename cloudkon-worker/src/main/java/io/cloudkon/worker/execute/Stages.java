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
 * The stages that wait for their next command. There are no more of them than commands ran at a
 * time: who needs one of another kind takes the place of the oldest. Thread safe.
 */
final class Stages {
  private static final Logger LOG = LoggerFactory.getLogger(Stages.class);

  /** A smaller one is copied sooner than it is looked at and its last command asked for. */
  private static final int WORTH_KEEPING = 16;

  /** So many files are remembered, some 500 bytes each; those of further stages are not. */
  private static final int REMEMBERED = 200_000;

  private final List<StagedDirectory> idle = new ArrayList<>();
  private long remembered;
  private @Nullable Boolean trusted;

  /** Makes an empty folder. */
  interface Place {
    Path make() throws IOException;
  }

  /**
   * One with these ships, as if it were fresh.
   *
   * @throws TaskInterruptedException if the slot was interrupted, or what it is for was ended
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

  /** A stage that cannot be asked for its last command would be thrown away. */
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
      // they may take the room that it needs
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

  /** The one that was used last. */
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

  /** Its command has ended by itself. */
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

  /** It is not used again: its command had to be ended, or none came to start. */
  void drop(StagedDirectory stage) {
    remove(List.of(stage));
  }

  /** All lie in one file system. */
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

  /** Takes out those whose ships have made room for others. */
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
