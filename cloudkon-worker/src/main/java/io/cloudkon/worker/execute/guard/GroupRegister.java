package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cloudkon.worker.execute.spawn.MemoryFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The process groups of spawned commands, which a guard can read even after this process was killed
 * or frozen at any instruction: words of text in a mapped file, each written by a single store. The
 * guard owns the first word. It writes {@code dead} there before it kills, and {@code live} when it
 * lets commands run again. A command is entered first and then reads that word; the guard writes
 * its word first and then reads the entries. So at least one of them sees the other. Thread safe.
 */
final class GroupRegister implements AutoCloseable {
  private static final int WORD = Long.BYTES;
  private static final int PLACES = 8 * 1024;
  private static final long FREE = word("");

  /** A command is about to start here. Its process number is not known yet, only its mark. */
  private static final long NEW = word("new");

  private static final long LIVE = word("live");
  private static final long DEAD = word("dead");
  private static final VarHandle WORDS = ValueLayout.JAVA_LONG.varHandle();

  private final MemoryFile file = new MemoryFile("cloudkon-groups");
  private final MemorySegment words = file.map((long) WORD * (PLACES + 1));
  private final Deque<Integer> freed = new ArrayDeque<>();
  private int used;

  GroupRegister() throws IOException {
    set(0, LIVE);
    for (int place = 1; place <= PLACES; place++) {
      set(place, FREE);
    }
  }

  /** The path by which a guard opens it. */
  Path path() {
    return file.path();
  }

  /** Takes a place for a command, which the caller must free; 0 if none is left. */
  int take() {
    synchronized (freed) {
      Integer again = freed.pollFirst();
      if (again == null && used == PLACES) {
        return 0;
      }
      return again == null ? ++used : again;
    }
  }

  /** Records that a command is about to start. */
  void announce(int place) {
    set(place, NEW);
  }

  /** Records that the command has started and leads this group. */
  void enter(int place, int group) {
    set(place, word(Integer.toString(group)));
  }

  /** Frees a place: no process of the command is left, and its group's number is still its own. */
  void free(int place) {
    set(place, FREE);
    synchronized (freed) {
      freed.addFirst(place);
    }
  }

  /** Whether the guard kills the commands that it finds, or may have done so already. */
  boolean isDead() {
    return ((long) WORDS.getVolatile(words, 0L) & 0xff) == 'd';
  }

  /** Marks the register as dead: a command that starts from now on is killed. */
  void end() {
    set(0, DEAD);
  }

  private void set(int place, long word) {
    WORDS.setVolatile(words, (long) place * WORD, word);
  }

  private static long word(String text) {
    byte[] padded = (text + " ".repeat(WORD - 1 - text.length()) + '\n').getBytes(US_ASCII);
    return ByteBuffer.wrap(padded).order(ByteOrder.nativeOrder()).getLong();
  }

  @Override
  public void close() {
    end();
    file.close();
  }
}
