package io.cloudkon.client.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.process.TemporaryFiles;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShipmentTest {
  private static final String RUN = "run";

  @TempDir Path temp;
  private final BlobStore blobs = new MemoryCloud(new SystemTime()).setup("Q").blobs();

  private Path folder(String name) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(name));
    Files.writeString(folder.resolve("data"), name);
    return folder;
  }

  private static void assertRefused(String problem, Path... paths) {
    assertThatThrownBy(() -> Shipment.of(List.of(paths)))
        .isInstanceOf(UsageException.class)
        .message()
        .startsWith("--ship ")
        .contains(problem)
        .doesNotContain("\n");
  }

  /** A client that SIGTERM ends halts, and left it. */
  @Test
  void archive_of_a_single_tasks_file_is_removed_by_a_halt() throws Exception {
    Path temporaries = Files.createDirectory(temp.resolve("temporaries"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporaries,
                "-cp",
                System.getProperty("java.class.path"),
                Halts.class.getName(),
                folder("a").resolve("data").toString())
            .redirectErrorStream(true)
            .start();
    try (InputStream said = process.getInputStream()) {
      assertThat(new String(said.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("packed");
    }
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(temporaries).isEmptyDirectory();
  }

  /** Packs a file and halts. */
  static final class Halts {
    private Halts() {}

    public static void main(String[] args) throws IOException {
      PackedTree packed = PackedTree.ofFile(Path.of(args[0]));
      System.out.print(Files.exists(packed.file()) ? "packed" : "missing");
      System.out.flush();
      TemporaryFiles.halt(130);
    }
  }

  @Test
  void nothing_to_ship_uploads_nothing() throws Exception {
    try (Shipment nothing = Shipment.of(List.of())) {
      assertThat(nothing.isEmpty()).isTrue();
      assertThat(nothing.upload(blobs, RUN)).isEmpty();
    }
    assertThat(blobs.list("")).isEmpty();
  }

  @Test
  void what_is_uploaded_is_named_by_its_hash_and_can_be_unpacked() throws Exception {
    Path folder = folder("tools");
    Path file = Files.writeString(temp.resolve("input.csv"), "1,2");
    List<Content> contents;
    try (Shipment shipment = Shipment.of(List.of(folder, file))) {
      assertThat(shipment.isEmpty()).isFalse();
      contents = shipment.upload(blobs, RUN);
    }

    assertThat(contents).extracting(Content::name).containsExactly("tools", "input.csv");
    Path to = Files.createDirectory(temp.resolve("to"));
    for (Content content : contents) {
      Path archive = temp.resolve("archive");
      assertThat(blobs.get(BlobKeys.in(RUN, content.sha256()), archive)).isTrue();
      byte[] bytes = Files.readAllBytes(archive);
      assertThat(content.bytes()).isEqualTo(bytes.length);
      assertThat(content.sha256())
          .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
      try (InputStream in = Files.newInputStream(archive)) {
        Tree.unpack(in, to, Tree.UNPACKED_BYTES);
      }
    }
    assertThat(to.resolve("tools/data")).hasContent("tools");
    assertThat(to.resolve("input.csv")).hasContent("1,2");
  }

  @Test
  void the_same_tree_has_the_same_name_again() throws Exception {
    Path folder = folder("tools");
    try (Shipment first = Shipment.of(List.of(folder));
        Shipment second = Shipment.of(List.of(folder))) {
      assertThat(first.upload(blobs, RUN)).isEqualTo(second.upload(blobs, RUN));
    }
    assertThat(blobs.list(BlobKeys.run(RUN))).hasSize(1);
  }

  @Test
  void what_was_packed_may_change_before_it_is_uploaded() throws Exception {
    Path folder = folder("tools");
    try (Shipment early = Shipment.of(List.of(folder));
        Shipment late = Shipment.of(List.of(folder))) {
      early.pack();
      Files.writeString(folder.resolve("later"), "later");
      assertThat(early.upload(blobs, RUN)).isNotEqualTo(late.upload(blobs, RUN));
    }
  }

  @Test
  void temporary_files_are_removed_by_close() throws Exception {
    Path folder = folder("tools");
    List<Path> files;
    try (Shipment shipment = Shipment.of(List.of(folder))) {
      shipment.pack();
      files = shipment.files();
      assertThat(files).hasSize(1).allSatisfy(file -> assertThat(file).isNotEmptyFile());
    }
    assertThat(files).allSatisfy(file -> assertThat(file).doesNotExist());
  }

  @Test
  void what_cannot_be_shipped_is_refused_by_its_path() throws Exception {
    assertRefused(temp + "/none: no such file or folder", temp.resolve("none"));
    assertRefused("/: is the whole file system", Path.of("/"));
    assertRefused("/dev/null: is a device", Path.of("/dev/null"));
    assertRefused("--ship is empty; expected a file or a folder", Path.of(""));
    Path links = folder("links");
    Files.createSymbolicLink(links.resolve("out"), Path.of("/etc/passwd"));
    assertRefused(links + "/out: is a link to /etc/passwd, which is outside of", links);
    Files.delete(links.resolve("out"));
    Files.createSymbolicLink(links.resolve("gone"), Path.of("nothing"));
    assertRefused(links + "/gone: is a link to nothing, which does not exist", links);
  }

  @Test
  void a_socket_is_refused() throws Exception {
    // A socket's path must be short.
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ck");
    Path path = folder.resolve("s");
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(path));
      assertRefused(path + ": is a socket", path);
      assertRefused(path + ": is a socket", folder);
    } finally {
      Files.delete(path);
      Files.delete(folder);
    }
  }

  @Test
  void two_of_one_name_are_refused() throws Exception {
    Path first = folder("a/data-set");
    Path second = folder("b/data-set");

    assertThatThrownBy(() -> Shipment.of(List.of(first, second.resolve("."))))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--ship %s/.: has the same name as %s; expected a different name for each"
                .formatted(second, first));
  }

  @Test
  void too_many_are_refused() {
    assertThatThrownBy(() -> Shipment.of(Collections.nCopies(Limits.SHIPS + 1, temp)))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--ship is given 65 times; expected at most 64: put related files into one folder");
  }

  @Test
  void what_is_too_large_when_packed_is_refused_and_leaves_nothing_behind() throws Exception {
    Path file = temp.resolve("random");
    byte[] content = new byte[1_000_000];
    new Random(3).nextBytes(content);
    Files.write(file, content);
    Path temporaries = Files.createDirectory(temp.resolve("temporaries"));

    assertThatThrownBy(() -> PackedTree.of(file, temporaries, 900_000))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            ("--ship %s: it is larger than 900,000 bytes when packed; expected less: ship it in"
                    + " parts")
                .formatted(file));
    assertThat(temporaries).isEmptyDirectory();
  }

  @Test
  void the_folder_of_temporary_files_is_refused() throws Exception {
    Path holder = folder("holder");
    Path temporaries = Files.createDirectory(holder.resolve("temporaries"));

    assertThatThrownBy(() -> PackedTree.of(holder, temporaries, 900_000))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--ship %s: holds %s, the folder of temporary files; expected a folder without it"
                .formatted(holder, temporaries));
    assertThat(temporaries).isEmptyDirectory();
  }

  @Test
  void uploads_that_fail_in_passing_are_repeated_up_to_a_limit() throws Exception {
    Path folder = folder("tools");
    try (Shipment shipment = quick(folder)) {
      assertThat(shipment.upload(new Shaky(blobs, 14, () -> {}), RUN)).hasSize(1);
    }
    try (Shipment shipment = quick(folder)) {
      assertThatThrownBy(() -> shipment.upload(new Shaky(blobs, 15, () -> {}), RUN))
          .isInstanceOf(TransientServiceException.class);
    }
  }

  @Test
  void an_interrupt_ends_packing_and_uploading() throws Exception {
    Path folder = folder("tools");
    try (Shipment shipment = quick(folder)) {
      Runnable interrupt = Thread.currentThread()::interrupt;
      assertThatThrownBy(() -> shipment.upload(new Shaky(blobs, 5, interrupt), RUN))
          .isInstanceOf(InterruptedException.class);
    }
    try (Shipment shipment = quick(folder)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(shipment::pack).isInstanceOf(InterruptedException.class);
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void without_a_bucket_it_is_said_how_to_get_one() throws Exception {
    Path folder = folder("tools");
    BlobStore none = new MemoryCloud(new SystemTime()).cluster("Q").blobs();
    try (Shipment shipment = Shipment.of(List.of(folder))) {
      assertThatThrownBy(() -> shipment.upload(none, RUN))
          .isInstanceOf(MissingResourceException.class)
          .hasMessageContaining("cloudkon setup -s Q");
    }
  }

  private static Shipment quick(Path path) {
    return Shipment.of(List.of(path), new BackOff(1, 2, new Random(1)));
  }

  /** Fails the first puts in passing. */
  private static final class Shaky implements BlobStore {
    private final BlobStore store;
    private final Runnable during;
    private int failuresLeft;

    Shaky(BlobStore store, int failures, Runnable during) {
      this.store = store;
      this.failuresLeft = failures;
      this.during = during;
    }

    @Override
    public void put(String key, Path file) {
      during.run();
      if (failuresLeft-- > 0) {
        throw new TransientServiceException("the blob store shakes", null);
      }
      store.put(key, file);
    }

    @Override
    public void put(String key, byte[] content) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<byte[]> get(String key) {
      return store.get(key);
    }

    @Override
    public boolean get(String key, Path file) {
      return store.get(key, file);
    }

    @Override
    public int renew(String prefix, long before) {
      return store.renew(prefix, before);
    }

    @Override
    public List<String> list(String prefix) {
      return store.list(prefix);
    }

    @Override
    public void removeAll(String prefix) {
      store.removeAll(prefix);
    }
  }
}
