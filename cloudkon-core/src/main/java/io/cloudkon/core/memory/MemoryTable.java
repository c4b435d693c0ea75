package io.cloudkon.core.memory;

import io.cloudkon.core.port.MissingResourceException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A table by key: exists or not, and every change of it is atomic. Thread safe. */
final class MemoryTable<T> {
  private final Supplier<MissingResourceException> missing;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<String, T> items = new TreeMap<>();
  private boolean exists;

  /** A table that does not exist yet. */
  MemoryTable(String name) {
    this(() -> new MissingResourceException("table", name, null));
  }

  /** Likewise for what is no table elsewhere. */
  MemoryTable(Supplier<MissingResourceException> missing) {
    this.missing = missing;
  }

  void create() {
    lock.lock();
    try {
      exists = true;
    } finally {
      lock.unlock();
    }
  }

  void remove() {
    lock.lock();
    try {
      exists = false;
      items.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Reads and changes the items alone. */
  <R> R with(Function<TreeMap<String, T>, R> use) {
    lock.lock();
    try {
      if (!exists) {
        throw missing.get();
      }
      return use.apply(items);
    } finally {
      lock.unlock();
    }
  }

  List<T> list() {
    return with(all -> List.copyOf(all.values()));
  }

  void expire(Predicate<T> expired) {
    lock.lock();
    try {
      items.values().removeIf(expired);
    } finally {
      lock.unlock();
    }
  }
}
