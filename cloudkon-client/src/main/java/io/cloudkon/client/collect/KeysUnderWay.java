package io.cloudkon.client.collect;

import java.util.Collection;
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
    int begun = 0;
    for (String key : wanted) {
      if (!keys.add(key)) {
        wanted.stream().limit(begun).forEach(keys::remove);
        return false;
      }
      begun++;
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
