package io.cloudkon.client.workload;

import java.util.Arrays;

/**
 * An open-addressed table from the hash of an id to where its line begins. Equal hashes may stand
 * beside each other; whether their ids are equal too is asked of the caller, rarely.
 */
final class IdTable {
  /** What {@link #put} answers for an id that is new. */
  static final long NEW = -1;

  private static final int FIRST_SLOTS = 1 << 10;

  private long[] hashes = new long[FIRST_SLOTS];

  /** Offsets plus one, so that 0 marks an empty slot. */
  private long[] places = new long[FIRST_SLOTS];

  private int size;

  /** Whether the ids of two lines, known by their offsets, are equal. */
  interface SameId {
    boolean test(long earlierOffset, long offset);
  }

  /** What is done with each entry. */
  interface Visitor {
    void entry(long hash, long offset);
  }

  /** Adds an entry; if its id is there already, adds nothing and answers that one's offset. */
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

  /** Where the line of an id begins that is there already; {@link #NEW} if it is not. */
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

  /** Visits all entries, in no order. */
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
