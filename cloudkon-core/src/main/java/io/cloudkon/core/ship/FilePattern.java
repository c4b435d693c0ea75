package io.cloudkon.core.ship;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A pattern for paths below a folder, as in shells: {@code *} and {@code ?} within a name, {@code
 * [a-z]} and {@code [!a-z]}, {@code **} for any folders, and a backslash before a literal
 * character. A dot at the beginning of a name is matched only by a dot. A pattern that matches a
 * folder matches everything in it. Immutable.
 */
public final class FilePattern {
  private final String text;
  private final List<NamePattern> names;

  private FilePattern(String text, List<NamePattern> names) {
    this.text = text;
    this.names = names;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is invalid, or leads out of the folder; the message
   *     continues a sentence that begins with the pattern
   */
  public static FilePattern of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    if (text.startsWith("/")) {
      throw new IllegalArgumentException("is absolute");
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("holds a NUL character");
    }
    List<NamePattern> names = new ArrayList<>();
    for (String name : text.split("/")) {
      if (name.equals("..")) {
        throw new IllegalArgumentException("leads out of the directory with '..'");
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(NamePattern.of(name));
      }
    }
    return new FilePattern(text, List.copyOf(names));
  }

  /** The place where a walk begins: the folder itself. */
  public Place start() {
    BitSet reached = new BitSet();
    reach(reached, 0);
    return new Place(reached);
  }

  /** Adds a place; {@code **} may also match no folder. */
  private void reach(BitSet reached, int at) {
    int next = at;
    reached.set(next);
    while (next < names.size() && names.get(next).isAnyFolders()) {
      reached.set(++next);
    }
  }

  /** The text of the pattern. */
  @Override
  public String toString() {
    return text;
  }

  /** How far the names of a path match. Immutable. */
  public final class Place {
    /** The possible numbers of the pattern's names that have been matched so far. */
    private final BitSet reached;

    private Place(BitSet reached) {
      this.reached = reached;
    }

    /** The place after one more name. */
    public Place in(String name) {
      BitSet next = new BitSet();
      for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
        if (at == names.size()) {
          next.set(at);
        } else if (names.get(at).isAnyFolders()) {
          if (!name.startsWith(".")) {
            reach(next, at);
          }
        } else if (names.get(at).matches(name)) {
          reach(next, at + 1);
        }
      }
      return new Place(next);
    }

    /** Whether the path, and everything in it, matches. */
    public boolean isMatch() {
      return reached.get(names.size());
    }

    /** Whether anything in it may match. */
    public boolean mayLead() {
      return !reached.isEmpty();
    }
  }
}
