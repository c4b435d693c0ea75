package io.cloudkon.client.workload;

import java.util.Arrays;

/**
 * An open-addressing hash table from the hash of an id to the offset of its line. Several entries
 * may have the same hash; in that rare case the caller decides whether the ids are equal.
 */
final class IdTable {
  /** The result of {@link #put} for a new id. */
  static final long NEW = -1;

  private static final int FIRST_SLOTS = 1 << 10;

  private long[] hashes = new long[FIRST_SLOTS];

  /** Offsets plus one, so that 0 marks an empty slot. */
  private long[] places = new long[FIRST_SLOTS];

  private int size;

  /** Tests whether the ids of the lines at two offsets are equal. */
  interface SameId {
    boolean test(long earlierOffset, long offset);
  }

  /** Receives each entry. */
  interface Visitor {
    void entry(long hash, long offset);
  }

  /**
   * Adds an entry and returns {@link #NEW}. If the id is in the table already, adds nothing and
   * returns the offset of that entry.
   */
  long put(long hash, long offset, SameId same) {
    if (2 * (size + 1) > hashes.length) {
      grow();
    }
    int mask = hashes.length - 1;
    int slot = (int) hash & mask;
    while (places[slot] != 0) {
      if (hashes[slot] == hash && same.test(places[slot] - 1, offset)) {
        return places[slot] - 1;
      }
      slot = (slot + 1) & mask;
    }
    hashes[slot] = hash;
    places[slot] = offset + 1;
    size++;
    return NEW;
  }

  /**
   * The offset of the line of an id in the table; {@link #NEW} if the table does not contain it.
   */
  long find(long hash, long offset, SameId same) {
    int mask = hashes.length - 1;
    for (int slot = (int) hash & mask; places[slot] != 0; slot = (slot + 1) & mask) {
      if (hashes[slot] == hash && same.test(places[slot] - 1, offset)) {
        return places[slot] - 1;
      }
    }
    return NEW;
  }

  int size() {
    return size;
  }

  /** Visits all entries, in no particular order. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < places.length; i++) {
      if (places[i] != 0) {
        visitor.entry(hashes[i], places[i] - 1);
      }
    }
  }

  void clear() {
    Arrays.fill(places, 0);
    size = 0;
  }

  private void grow() {
    long[] oldHashes = hashes;
    long[] oldPlaces = places;
    hashes = new long[2 * oldHashes.length];
    places = new long[hashes.length];
    int mask = hashes.length - 1;
    for (int i = 0; i < oldPlaces.length; i++) {
      if (oldPlaces[i] != 0) {
        int slot = (int) oldHashes[i] & mask;
        while (places[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        hashes[slot] = oldHashes[i];
        places[slot] = oldPlaces[i];
      }
    }
  }
}
