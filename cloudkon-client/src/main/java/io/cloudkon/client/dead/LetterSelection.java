package io.cloudkon.client.dead;

import io.cloudkon.core.error.UsageException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects dead letters: all, or those whose ids begin with one of the user's prefixes. Not thread
 * safe.
 */
final class LetterSelection {
  private final Map<String, Set<String>> found = new HashMap<>();
  private final List<String> ids;

  /**
   * A selection that has seen no letter.
   *
   * @param ids prefixes of ids; none means all letters
   */
  LetterSelection(List<String> ids) {
    this.ids = ids;
  }

  /** Whether it selects all letters. */
  boolean isOfAll() {
    return ids.isEmpty();
  }

  /** Whether every id has had a letter. */
  boolean isFound() {
    return found.keySet().containsAll(ids);
  }

  /** Returns whether this letter is selected, and remembers it for {@link #check}. */
  boolean takes(DeadLetter letter) {
    boolean taken = ids.isEmpty();
    for (String id : ids) {
      if (letter.id().startsWith(id)) {
        found.computeIfAbsent(id, i -> new HashSet<>()).add(letter.id());
        taken = true;
      }
    }
    return taken;
  }

  /**
   * Checks the selection after every letter was seen.
   *
   * @param queue for the message
   * @throws UsageException if an id belongs to no letter, or to several
   */
  void check(String queue) {
    List<String> unknown = ids.stream().filter(id -> !found.containsKey(id)).toList();
    if (!unknown.isEmpty()) {
      throw DeadLetterBox.unknown(queue, unknown);
    }
    found.forEach((id, letters) -> {
      if (letters.size() > 1) {
        throw DeadLetterBox.ambiguous(id);
      }
    });
  }
}
