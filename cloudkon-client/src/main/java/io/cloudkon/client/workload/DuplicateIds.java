package io.cloudkon.client.workload;

import java.io.Closeable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds a repeated id among any number of ids in bounded memory.
 *
 * <p>For each id, an {@link IdTable} keeps a 64-bit hash and the offset of its line: 16 bytes. A
 * table of {@code idsInMemory} entries is written to an {@link IdSpill} and emptied. In the end as
 * many partitions as fit are loaded into the table at a time, which finds equal hashes from
 * different blocks. (This is the partitioning of a hash join: Kitsuregawa, Tanaka and Moto-oka
 * 1983.) If hashes are equal, both lines are read again to compare the ids, so the answer is exact.
 * A random seed defeats workloads that are crafted to cause collisions.
 *
 * <p>A repetition within one table is returned at once. Of the repetitions across tables, {@link
 * #finish()} returns the one whose second line comes first.
 */
final class DuplicateIds implements Closeable {
  /** Finds the id of the task whose line begins at an offset. */
  interface Lookup {
    String idAt(long offset);
  }

  /** The offsets of two lines with equal ids. */
  record Repeat(long firstOffset, long secondOffset) {}

  private final int idsInMemory;
  private final ToLongFunction<String> hash;
  private final IdTable table = new IdTable();
  private final IdTable.SameId sameAsCurrent;
  private final IdTable.SameId sameOnDisk;
  private @Nullable IdSpill spill;
  private @Nullable Repeat repeat;
  private String current = "";

  DuplicateIds(int idsInMemory, Lookup lookup) {
    this(idsInMemory, lookup, seeded(ThreadLocalRandom.current().nextLong()));
  }

  DuplicateIds(int idsInMemory, Lookup lookup, ToLongFunction<String> hash) {
    this.idsInMemory = idsInMemory;
    this.hash = hash;
    this.sameOnDisk = (earlier, offset) -> lookup.idAt(earlier).equals(lookup.idAt(offset));
    this.sameAsCurrent = (earlier, offset) -> lookup.idAt(earlier).equals(current);
  }

  /** Adds an id and returns the repetition if it finds one. Offsets must increase. */
  @Nullable Repeat add(String id, long offset) {
    if (table.size() == idsInMemory) {
      spilled().write(table);
      table.clear();
    }
    current = id;
    long earlier = table.put(hash.applyAsLong(id), offset, sameAsCurrent);
    return earlier == IdTable.NEW ? null : new Repeat(earlier, offset);
  }

  /** Whether this id was added and has not been spilled yet. */
  boolean has(String id) {
    current = id;
    return table.find(hash.applyAsLong(id), 0, sameAsCurrent) != IdTable.NEW;
  }

  /** Compares the spilled ids; call it once, after the last id. */
  @Nullable Repeat finish() {
    if (spill == null) {
      return null;
    }
    IdSpill blocks = spill;
    blocks.write(table);
    int partition = 0;
    while (partition < IdSpill.PARTITIONS) {
      int count = blocks.partitionsWithin(partition, idsInMemory);
      table.clear();
      blocks.forEach(partition, count, this::compare);
      partition += count;
    }
    return repeat;
  }

  private void compare(long h, long offset) {
    // A later repetition cannot improve on the best answer so far.
    if (repeat == null || offset < repeat.secondOffset) {
      long earlier = table.put(h, offset, sameOnDisk);
      if (earlier != IdTable.NEW) {
        repeat = new Repeat(earlier, offset);
      }
    }
  }

  private IdSpill spilled() {
    if (spill == null) {
      spill = new IdSpill();
    }
    return spill;
  }

  /** A hash of all characters, which multiplies and folds the high half into the low half. */
  private static ToLongFunction<String> seeded(long seed) {
    return id -> {
      long h = seed ^ id.length();
      for (int i = 0; i < id.length(); i++) {
        h = (h ^ id.charAt(i)) * 0x9E3779B97F4A7C15L;
        h ^= h >>> 32;
      }
      h *= 0xD6E8FEB86659FD93L;
      return h ^ (h >>> 32);
    };
  }

  @Override
  public void close() {
    if (spill != null) {
      spill.close();
    }
  }
}
