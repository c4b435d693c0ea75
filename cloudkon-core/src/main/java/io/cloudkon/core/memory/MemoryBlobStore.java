package io.cloudkon.core.memory;

import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.time.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one cluster: small ones in memory, large ones and files in temporary files, as they
 * may be larger than the heap. Thread safe.
 */
final class MemoryBlobStore implements BlobStore {
  /** Payloads of tasks above this size would fill the heap before a long run's end. */
  private static final int LARGE_BYTES = 256 * 1024;

  private final TimeSource time;
  private final MemoryTable<Content> table;
  private final ScratchFolder scratch = new ScratchFolder();

  /** The content that is kept under one key. */
  sealed interface Content {
    /** The time at which it was put or renewed, epoch milliseconds. */
    long since();
  }

  private record Bytes(byte[] bytes, long since) implements Content {}

  private record Copy(Path file, long since) implements Content {}

  MemoryBlobStore(String cluster, TimeSource time) {
    this.time = time;
    this.table =
        new MemoryTable<>(() -> MissingResourceException.bucket(cluster, "-s " + cluster, null));
  }

  void create() {
    table.create();
  }

  void remove() {
    removeAll("");
    table.remove();
  }

  @Override
  public void put(String key, byte[] content) {
    if (content.length > LARGE_BYTES) {
      put(key, () -> scratch.write(content));
      return;
    }
    boolean unused = add(key, new Bytes(content.clone(), time.serviceMillis()));
  }

  @Override
  public void put(String key, Path file) {
    put(key, () -> scratch.copy(file));
  }

  private void put(String key, Supplier<Path> content) {
    if (table.with(blobs -> blobs.containsKey(key))) {
      return;
    }
    Path copy = content.get();
    boolean kept = false;
    try {
      kept = add(key, new Copy(copy, time.serviceMillis()));
    } finally {
      if (!kept) {
        scratch.remove(copy);
      }
    }
  }

  /** The first content under a key is as good as any: they are all the same. */
  private boolean add(String key, Content content) {
    return table.with(blobs -> blobs.putIfAbsent(key, content) == null);
  }

  @Override
  public Optional<byte[]> get(String key) {
    try (InputStream content = open(key)) {
      return content == null ? Optional.empty() : Optional.of(content.readAllBytes());
    } catch (IOException e) {
      throw new LocalFileException("cannot read blob '%s': %s".formatted(key, e), e);
    }
  }

  @Override
  public boolean get(String key, Path file) {
    try (InputStream content = open(key)) {
      if (content == null) {
        return false;
      }
      write(content, file);
      return true;
    } catch (IOException e) {
      throw new LocalFileException("cannot read blob '%s': %s".formatted(key, e), e);
    }
  }

  private static void write(InputStream content, Path file) {
    boolean opened = false;
    try (OutputStream out = Files.newOutputStream(file)) {
      opened = true;
      content.transferTo(out);
    } catch (IOException e) {
      if (opened) {
        // one that is there in part would look like a whole one
        boolean unused = file.toFile().delete();
      }
      throw new LocalFileException("cannot write '%s': %s".formatted(file, e), e);
    }
  }

  /** Null if there is none. */
  private @Nullable InputStream open(String key) throws IOException {
    return switch (content(key)) {
      case null -> null;
      case Bytes(byte[] bytes, long _) -> new ByteArrayInputStream(bytes);
      case Copy(Path copy, long _) -> open(key, copy);
    };
  }

  private @Nullable Content content(String key) {
    return table.with(blobs -> Optional.ofNullable(blobs.get(key))).orElse(null);
  }

  /** Null if it was removed meanwhile; its path may then have another copy. */
  private @Nullable InputStream open(String key, Path copy) throws IOException {
    InputStream open;
    try {
      open = Files.newInputStream(copy);
    } catch (NoSuchFileException e) {
      return null;
    }
    if (content(key) instanceof Copy(Path still, long _) && still.equals(copy)) {
      return open;
    }
    open.close();
    return null;
  }

  @Override
  public int renew(String prefix, long before) {
    long now = time.serviceMillis();
    return table.with(blobs -> {
      int renewed = 0;
      for (Map.Entry<String, Content> blob : from(prefix, blobs).entrySet()) {
        if (blob.getValue().since() < before) {
          blob.setValue(
              switch (blob.getValue()) {
                case Bytes(byte[] bytes, long _) -> new Bytes(bytes, now);
                case Copy(Path copy, long _) -> new Copy(copy, now);
              });
          renewed++;
        }
      }
      return renewed;
    });
  }

  @Override
  public List<String> list(String prefix) {
    return table.with(blobs -> List.copyOf(from(prefix, blobs).keySet()));
  }

  @Override
  public void removeAll(String prefix) {
    take(prefix).forEach(this::discard);
  }

  private void discard(Content content) {
    if (content instanceof Copy(Path copy, long _)) {
      scratch.remove(copy);
    }
  }

  @Override
  public void spent(Collection<String> keys) {
    for (String key : keys) {
      Optional<Content> content = table.with(blobs -> Optional.ofNullable(blobs.remove(key)));
      content.ifPresent(this::discard);
    }
  }

  private List<Content> take(String prefix) {
    try {
      return table.with(blobs -> {
        SortedMap<String, Content> those = from(prefix, blobs);
        List<Content> contents = List.copyOf(those.values());
        those.clear();
        return contents;
      });
    } catch (MissingResourceException e) {
      return List.of(); // where there is no bucket, there is nothing in it
    }
  }

  /** A view of all whose key begins like this. */
  private static SortedMap<String, Content> from(String prefix, SortedMap<String, Content> blobs) {
    // no key has a character beyond this one
    return blobs.subMap(prefix, prefix + Character.MAX_VALUE);
  }
}
