package io.cloudkon.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.contract.BlobStoreContract;
import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.port.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryBlobStoreTest extends BlobStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }

  @Test
  void large_content_is_kept_outside_the_heap_and_is_the_same() {
    BlobStore store = cluster().blobs();
    byte[] large = new byte[1024 * 1024];
    new Random(1).nextBytes(large);

    store.put("r/in/1", large);
    store.put("r/in/1", new byte[large.length]);

    assertThat(store.get("r/in/1")).hasValueSatisfying(got -> assertThat(got).isEqualTo(large));
    store.removeAll("r/");
    assertThat(store.get("r/in/1")).isEmpty();
  }

  @Test
  void what_its_client_has_written_is_removed(@TempDir Path folder) throws IOException {
    BlobStore store = cluster().blobs();
    store.put("r/out/1", new byte[] {1});
    store.put("r/out/1-files-1", Files.writeString(folder.resolve("file"), "x"));
    store.put("r/out/2", new byte[] {2});

    store.spent(List.of("r/out/1", "r/out/1-files-1", "r/out/3"));

    assertThat(store.list("")).containsExactly("r/out/2");
  }
}
