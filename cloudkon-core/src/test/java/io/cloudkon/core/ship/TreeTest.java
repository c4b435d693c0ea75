package io.cloudkon.core.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeTest {
  @TempDir Path temp;
  private Path tree;
  private Path to;

  @BeforeEach
  void folders() throws IOException {
    tree = Files.createDirectory(temp.resolve("tree"));
    to = Files.createDirectory(temp.resolve("to"));
  }

  @Test
  void a_folder_comes_back_with_everything_in_it() throws IOException {
    Files.createDirectories(tree.resolve("a/b"));
    Files.writeString(tree.resolve("a/b/one.txt"), "one");
    Files.write(tree.resolve("empty.bin"), new byte[0]);
    Files.createDirectory(tree.resolve("empty"));

    roundTrip(tree);

    assertThat(to.resolve("tree/a/b/one.txt")).hasContent("one");
    assertThat(to.resolve("tree/empty.bin")).isEmptyFile();
    assertThat(to.resolve("tree/empty")).isEmptyDirectory();
  }

  @Test
  void a_single_file_comes_back_under_its_name() throws IOException {
    Path file = Files.writeString(tree.resolve("data.csv"), "1,2");

    roundTrip(file);

    assertThat(to.resolve("data.csv")).hasContent("1,2");
  }

  @Test
  void an_empty_folder_comes_back() throws IOException {
    roundTrip(tree);

    assertThat(to.resolve("tree")).isEmptyDirectory();
  }

  @Test
  void the_owners_permissions_of_files_are_kept_and_those_of_others_are_not() throws IOException {
    mode(Files.writeString(tree.resolve("program"), "#!"), "rwxr-xr-x");
    mode(Files.writeString(tree.resolve("data"), "1"), "rw-rw-rw-");
    mode(Files.writeString(tree.resolve("fixed"), "2"), "r--r--r--");

    roundTrip(tree);

    assertThat(mode(to.resolve("tree/program"))).isEqualTo("rwx------");
    assertThat(mode(to.resolve("tree/data"))).isEqualTo("rw-------");
    assertThat(mode(to.resolve("tree/fixed"))).isEqualTo("r--------");
  }

  @Test
  void links_within_the_folder_stay_links_and_become_relative() throws IOException {
    Files.createDirectories(tree.resolve("lib/deep"));
    Files.writeString(tree.resolve("lib/code.so.1"), "code");
    Files.createSymbolicLink(tree.resolve("lib/code.so"), Path.of("code.so.1"));
    Files.createSymbolicLink(
        tree.resolve("lib/deep/absolute"), tree.resolve("lib/code.so").toAbsolutePath());
    Files.createSymbolicLink(tree.resolve("to-folder"), Path.of("lib/deep"));
    Files.createSymbolicLink(tree.resolve("lib/here"), Path.of("."));
    Files.createSymbolicLink(tree.resolve("out-and-in"), Path.of("../tree/lib/code.so"));

    roundTrip(tree);

    Path lib = to.resolve("tree/lib");
    assertThat(Files.readSymbolicLink(lib.resolve("code.so"))).isEqualTo(Path.of("code.so.1"));
    assertThat(Files.readSymbolicLink(lib.resolve("deep/absolute")))
        .isEqualTo(Path.of("../code.so.1"));
    assertThat(lib.resolve("deep/absolute")).hasContent("code");
    assertThat(Files.readSymbolicLink(to.resolve("tree/to-folder"))).isEqualTo(Path.of("lib/deep"));
    assertThat(lib.resolve("here/code.so")).hasContent("code");
    assertThat(Files.readSymbolicLink(to.resolve("tree/out-and-in")))
        .isEqualTo(Path.of("lib/code.so.1"));
  }

  @Test
  void a_link_that_is_packed_itself_stands_for_what_it_points_to() throws IOException {
    Files.writeString(tree.resolve("data"), "1");
    Path link = Files.createSymbolicLink(temp.resolve("latest"), tree);

    roundTrip(link);

    assertThat(to.resolve("latest/data")).hasContent("1");
    assertThat(to.resolve("latest")).isDirectory().isNotEqualTo(tree);
  }

  @Test
  void hard_links_become_files() throws IOException {
    Files.writeString(tree.resolve("one"), "same");
    Files.createLink(tree.resolve("two"), tree.resolve("one"));

    roundTrip(tree);

    Files.writeString(to.resolve("tree/one"), "other");
    assertThat(to.resolve("tree/two")).hasContent("same");
  }

  @Test
  void names_of_any_length_and_script_come_back() throws IOException {
    String[] names = {
      "Grüße + 100% «ja».txt",
      "数据.bin",
      "😀",
      " leading and trailing ",
      "new\nline",
      "back\\slash",
      "x".repeat(255),
      "-rf",
      "..hidden",
      "ü".repeat(120)
    };
    for (String name : names) {
      Files.writeString(tree.resolve(name), name);
    }
    Path deep = tree;
    for (int i = 0; i < 30; i++) {
      deep = deep.resolve("a-folder-with-a-rather-long-name-" + i);
    }
    Files.createDirectories(deep);
    Files.writeString(deep.resolve("end-ü"), "deep");
    Files.createSymbolicLink(tree.resolve("link-ö"), deep.resolve("end-ü"));

    roundTrip(tree);

    for (String name : names) {
      assertThat(to.resolve("tree").resolve(name)).content(UTF_8).isEqualTo(name);
    }
    assertThat(to.resolve("tree").resolve(tree.relativize(deep)).resolve("end-ü"))
        .hasContent("deep");
    assertThat(to.resolve("tree/link-ö")).isSymbolicLink().hasContent("deep");
  }

  @Test
  void the_same_tree_gives_the_same_bytes_whatever_its_times_and_order() throws IOException {
    Path other = Files.createDirectories(temp.resolve("other/tree"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(tree.resolve("file" + i), "content" + i);
      Path late = Files.writeString(other.resolve("file" + (19 - i)), "content" + (19 - i));
      Files.setLastModifiedTime(late, FileTime.fromMillis(1_000_000L * i));
    }
    mode(other.resolve("file3"), "rw-rw-r--");
    mode(tree.resolve("file3"), "rw-------");

    assertThat(packed(other)).isEqualTo(packed(tree));
  }

  @Test
  void large_content_comes_back_as_it_was() throws IOException {
    byte[] content = new byte[3_000_001];
    new Random(1).nextBytes(content);
    Files.write(tree.resolve("large"), content);

    roundTrip(tree);

    assertThat(to.resolve("tree/large")).hasBinaryContent(content);
  }

  @Test
  void a_path_that_ends_in_dots_has_the_real_folders_name() throws IOException {
    Path inner = Files.createDirectory(tree.resolve("inner"));

    assertThat(Tree.nameOf(inner)).isEqualTo("inner");
    assertThat(Tree.nameOf(inner.resolve("."))).isEqualTo("inner");
    assertThat(Tree.nameOf(inner.resolve(".."))).isEqualTo("tree");
    assertThat(Tree.nameOf(Path.of(""))).isEqualTo(Path.of("").toRealPath().getFileName() + "");
    assertThatThrownBy(() -> Tree.nameOf(Path.of("/")))
        .hasMessage("/: is the whole file system; expected a file or a folder in it");
  }

  @Test
  void a_link_out_of_the_folder_is_refused() throws IOException {
    Files.createDirectory(tree.resolve("sub"));
    Files.writeString(temp.resolve("secret"), "secret");
    Files.createSymbolicLink(tree.resolve("sub/out"), Path.of("../../secret"));

    assertThatThrownBy(() -> Tree.check(tree))
        .isInstanceOf(IOException.class)
        .hasMessage(
            tree
                + "/sub/out: is a link to ../../secret, which is outside of what is shipped;"
                + " expected files, folders, and links that stay within them");
    assertThatThrownBy(() -> packed(tree)).hasMessageContaining("outside of what is shipped");
  }

  @Test
  void links_that_lead_nowhere_are_refused() throws IOException {
    Files.createSymbolicLink(tree.resolve("gone"), Path.of("nothing"));
    assertThatThrownBy(() -> Tree.check(tree))
        .hasMessageStartingWith(tree + "/gone: is a link to nothing, which does not exist;");

    Files.delete(tree.resolve("gone"));
    Files.createSymbolicLink(tree.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(tree.resolve("b"), Path.of("a"));
    assertThatThrownBy(() -> Tree.check(tree))
        .hasMessageStartingWith(tree + "/a: cannot be read: ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void what_is_neither_file_nor_folder_is_named_and_refused() throws Exception {
    // A socket's path must be short.
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ck");
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(folder.resolve("s")));
      assertThatThrownBy(() -> Tree.check(folder))
          .hasMessageStartingWith(folder + "/s: is a socket; expected files, folders");
    } finally {
      Files.delete(folder.resolve("s"));
      Files.delete(folder);
    }
    assertThat(new ProcessBuilder("mkfifo", tree.resolve("pipe").toString()).start().waitFor())
        .isZero();
    assertThatThrownBy(() -> Tree.check(tree)).hasMessageContaining("/pipe: is a named pipe; ");
    assertThatThrownBy(() -> Tree.check(Path.of("/dev/null")))
        .hasMessageStartingWith("/dev/null: is a device; ");
  }

  @Test
  void what_is_missing_is_named() {
    assertThatThrownBy(() -> Tree.check(tree.resolve("none")))
        .hasMessageStartingWith(tree + "/none: no such file or folder; ");
  }

  @Test
  void a_file_that_changes_while_it_is_packed_is_noticed() throws IOException {
    byte[] content = new byte[2_000_000];
    new Random(1).nextBytes(content);
    Path file = Files.write(tree.resolve("log"), content);
    OutputStream appending =
        new FilterOutputStream(OutputStream.nullOutputStream()) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            Files.write(file, new byte[1], StandardOpenOption.APPEND);
          }
        };

    assertThatThrownBy(() -> Tree.pack(tree, appending))
        .hasMessage(
            file + ": changed while it was packed; expected it to stay as it is until it is sent");
  }

  @Test
  void an_interrupt_ends_packing_and_unpacking() throws IOException {
    Files.writeString(tree.resolve("data"), "1");
    byte[] archive = packed(tree);

    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> packed(tree)).isInstanceOf(InterruptedIOException.class);
      assertThatThrownBy(() -> unpack(archive)).isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private void roundTrip(Path path) throws IOException {
    Tree.check(path);
    unpack(packed(path));
  }

  private void unpack(byte[] archive) throws IOException {
    Tree.unpack(new ByteArrayInputStream(archive), to, Tree.UNPACKED_BYTES);
  }

  private static byte[] packed(Path path) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Tree.pack(path, out);
    return out.toByteArray();
  }

  private static void mode(Path file, String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
