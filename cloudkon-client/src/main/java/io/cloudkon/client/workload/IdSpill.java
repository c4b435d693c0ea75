package io.cloudkon.client.workload;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries of {@link IdTable}s on disk, in one temporary file that does not outlive the JVM. Each
 * table becomes a block, in which the entries are grouped by partition, which is the top bits of
 * the hash. Equal ids are in the same partition of their blocks.
 */
final class IdSpill implements Closeable {
  static final int PARTITIONS = 1 << 10;

  private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PARTITIONS);
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  private final FileChannel file;
  private final List<Block> blocks = new ArrayList<>();

  /** The number of entries in each partition over all blocks. */
  private final long[] totals = new long[PARTITIONS];

  /** A table on disk; partition p is the entries from starts[p] to starts[p + 1]. */
  private record Block(long position, int[] starts) {}

  IdSpill() {
    try {
      Path path = Files.createTempFile("cloudkon-ids-", ".spill");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Writes the table as a new block. */
  void write(IdTable table) {
    int[] starts = new int[PARTITIONS + 1];
    table.forEach((hash, offset) -> starts[partition(hash) + 1]++);
    for (int p = 0; p < PARTITIONS; p++) {
      totals[p] += starts[p + 1];
      starts[p + 1] += starts[p];
    }
    int[] next = starts.clone();
    ByteBuffer block = ByteBuffer.allocate(table.size() * ENTRY_BYTES);
    table.forEach((hash, offset) -> {
      int at = ENTRY_BYTES * next[partition(hash)]++;
      block.putLong(at, hash).putLong(at + Long.BYTES, offset);
    });
    try {
      blocks.add(new Block(file.size(), starts));
      while (block.hasRemaining()) {
        file.write(block, file.size());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * The number of consecutive partitions, starting at {@code first}, that hold at most {@code
   * entries} entries in total; at least 1.
   */
  int partitionsWithin(int first, int entries) {
    long sum = totals[first];
    int end = first + 1;
    while (end < PARTITIONS && sum + totals[end] <= entries) {
      sum += totals[end++];
    }
    return end - first;
  }

  /** Visits the entries of some partitions, block by block in the order of writing. */
  void forEach(int firstPartition, int partitions, IdTable.Visitor visitor) {
    for (Block block : blocks) {
      int from = block.starts[firstPartition];
      int to = block.starts[firstPartition + partitions];
      ByteBuffer entries = read(block.position + (long) from * ENTRY_BYTES, to - from);
      while (entries.hasRemaining()) {
        long hash = entries.getLong();
        visitor.entry(hash, entries.getLong());
      }
    }
  }

  private ByteBuffer read(long position, int entries) {
    ByteBuffer buffer = ByteBuffer.allocate(entries * ENTRY_BYTES);
    try {
      while (buffer.hasRemaining()) {
        if (file.read(buffer, position + buffer.position()) < 0) {
          throw new EOFException("the temporary file was cut");
        }
      }
    } catch (IOException e) {
      throw failed(e);
    }
    return buffer.flip();
  }

  private static int partition(long hash) {
    return (int) (hash >>> SHIFT);
  }

  private static CloudKonException failed(IOException e) {
    return new LocalFileException(
        "the ids of the workload cannot be compared in a temporary file ("
            + Printable.line(String.valueOf(e.getMessage()))
            + "); expected room in the folder that java.io.tmpdir names",
        e);
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
