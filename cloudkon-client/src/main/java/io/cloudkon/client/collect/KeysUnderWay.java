package io.cloudkon.client.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects of the blob store that are being read, by their keys, each by one thread at a time:
 * reading takes longer than a message is hidden, so that its copies arrive meanwhile. Thread safe.
 */
final class KeysUnderWay {
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /** Begins to read these; does nothing and returns false if another thread reads one of them. */
  boolean begin(Collection<String> wanted) {
    List<String> begun = new ArrayList<>(wanted.size());
    for (String key : new HashSet<>(wanted)) {
      if (!keys.add(key)) {
        end(begun);
        return false;
      }
      begun.add(key);
    }
    return true;
  }

  /** Ends reading what was begun. */
  void end(Collection<String> begun) {
    begun.forEach(keys::remove);
  }

  /** Whether anything is being read. */
  boolean any() {
    return !keys.isEmpty();
  }
}
