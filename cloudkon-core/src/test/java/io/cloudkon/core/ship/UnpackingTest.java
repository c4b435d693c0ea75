package io.cloudkon.core.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that nobody packed with {@link Tree}. */
class UnpackingTest {
  @TempDir Path temp;
  private Path to;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private TarArchiveOutputStream tar;

  @BeforeEach
  void archive() throws IOException {
    to = Files.createDirectory(temp.resolve("to"));
    tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes), UTF_8.name());
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../x", "a/../../x", "a/..", "..", ".", "./x", "a//x", "/x", "//x", "a/./x"})
  void a_name_that_might_leave_the_folder_is_refused(String name) throws IOException {
    file(name, "bad");

    assertThatThrownBy(this::unpack)
        .hasMessage(
            "the archive's entry %s cannot be unpacked: it would not lie in its folder"
                .formatted(name));
    assertThat(temp.resolve("x")).doesNotExist();
    assertThat(to).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "link, /etc/passwd",
    "link, ..",
    "link, ../x",
    "a/link, ../../x",
    "a/link, b/../../../x",
    "a/link, b/..",
    "a/link, ./../../x",
    "link, a//b",
    "link, ''"
  })
  void a_link_that_might_leave_the_folder_is_refused(String name, String target)
      throws IOException {
    link(name, target);

    assertThatThrownBy(this::unpack)
        .hasMessage(
            "the archive's entry %s cannot be unpacked: it is a link that may leave the folder: %s"
                .formatted(name, target));
    assertThat(Files.exists(to.resolve(name), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void nothing_is_written_through_a_link() throws IOException {
    folder("real/");
    link("way", "real");
    file("way/x", "bad");

    assertThatThrownBy(this::unpack)
        .hasMessage("the archive's entry way/x cannot be unpacked: way is not a folder");
    assertThat(to.resolve("real")).isEmptyDirectory();
  }

  @Test
  void nothing_is_written_through_a_link_that_was_there_before() throws IOException {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.createSymbolicLink(to.resolve("way"), outside);
    file("way/x", "bad");

    assertThatThrownBy(this::unpack).hasMessageContaining("way is not a folder");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void a_link_is_not_replaced_nor_written_to() throws IOException {
    file("kept", "kept");
    link("link", "kept");
    file("link", "bad");

    assertThatThrownBy(this::unpack)
        .hasMessage("the archive's entry link cannot be unpacked: it exists already");
    assertThat(to.resolve("kept")).hasContent("kept");
  }

  @Test
  void a_folder_is_not_replaced_by_a_link() throws IOException {
    folder("a/");
    link("a", ".");

    assertThatThrownBy(this::unpack).hasMessageContaining("it exists already");
  }

  @Test
  void a_file_that_exists_is_not_written_over() throws IOException {
    Files.writeString(to.resolve("data"), "mine");
    file("data", "theirs");

    assertThatThrownBy(this::unpack).hasMessageContaining("it exists already");
    assertThat(to.resolve("data")).hasContent("mine");
  }

  @ParameterizedTest
  @ValueSource(
      bytes = {
        TarConstants.LF_LINK,
        TarConstants.LF_CHR,
        TarConstants.LF_BLK,
        TarConstants.LF_FIFO,
        TarConstants.LF_CONTIG
      })
  void what_is_neither_file_nor_folder_nor_link_is_refused(byte kind) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry("odd", kind);
    entry.setLinkName("/etc/passwd");
    put(entry, "");

    assertThatThrownBy(this::unpack)
        .hasMessageEndingWith("it is neither a file nor a folder nor a link");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void other_programs_archives_are_unpacked_too() throws IOException {
    file("without/its/folders", "1");

    unpack();

    assertThat(to.resolve("without/its/folders")).hasContent("1");
  }

  @Test
  void no_more_comes_out_than_is_allowed() throws IOException {
    file("one", "1".repeat(5000));
    file("two", "2".repeat(4097));
    tar.close();

    assertThatThrownBy(() -> new Unpacking(to, 4 * 4096 - 1).unpack(written()))
        .hasMessage(
            "the archive's entry two cannot be unpacked: more than 16383 bytes come out of the"
                + " archive, in blocks of 4096");
    assertThat(to.resolve("two")).doesNotExist();
  }

  @Test
  void each_entry_counts_even_if_it_is_empty() throws IOException {
    put(new TarArchiveEntry("folder/"), "");
    file("folder/empty", "");
    link("folder/link", "empty");
    file("folder/large", "1".repeat(4097));
    tar.close();

    assertThatThrownBy(() -> new Unpacking(to, 5 * 4096 - 1).unpack(written()))
        .hasMessageContaining("entry folder/large");
    Path fresh = Files.createDirectory(to.resolve("fresh"));
    assertThat(new Unpacking(fresh, 5 * 4096).unpack(written())).isEqualTo(5 * 4096);
  }

  private ByteArrayInputStream written() {
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  private static String paxLine(String name, String value) {
    String rest = " GNU.sparse." + name + "=" + value + "\n";
    int length = rest.length() + 2;
    return length + rest;
  }

  /** Headers by which a file of one stored byte is read as a gigabyte. */
  @Test
  void sparse_file_is_refused_as_it_would_outgrow_the_limit() throws IOException {
    String pax =
        paxLine("major", "1")
            + paxLine("minor", "0")
            + paxLine("name", "sparse")
            + paxLine("realsize", Integer.toString(1 << 30));
    put(new TarArchiveEntry("pax", TarConstants.LF_PAX_EXTENDED_HEADER_LC), pax);
    file("stored", "1\n0\n1\n" + "\0".repeat(506) + "x");
    tar.close();

    assertThatThrownBy(() -> new Unpacking(to, 1 << 20).unpack(written()))
        .isInstanceOf(ArchiveException.class)
        .hasMessageContaining("it is a sparse file; pack it whole");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void names_are_not_read_beyond_a_limit() throws IOException {
    TarArchiveEntry name = new TarArchiveEntry("././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME);
    name.setSize(64 << 20);
    tar.putArchiveEntry(name);
    byte[] part = "n".repeat(1 << 20).getBytes(UTF_8);
    for (int i = 0; i < 64; i++) {
      tar.write(part);
    }
    tar.closeArchiveEntry();
    tar.close();

    assertThatThrownBy(() -> new Unpacking(to, 1 << 20).unpack(written()))
        .isInstanceOf(ArchiveException.class)
        .hasMessageContaining("more than 1048576 bytes between two entries");
  }

  @Test
  void name_that_the_file_system_cannot_hold_is_the_archives_fault() throws IOException {
    file("n".repeat(256), "x");

    assertThatThrownBy(this::unpack)
        .isInstanceOf(ArchiveException.class)
        .hasMessageContaining("this file system refuses its name");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void damage_anywhere_is_noticed() throws IOException {
    byte[] content = new byte[5000];
    new Random(2).nextBytes(content);
    TarArchiveEntry entry = new TarArchiveEntry("data");
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
    tar.close();
    byte[] whole = bytes.toByteArray();

    for (int cut = 0; cut < whole.length; cut += 37) {
      Path fresh = Files.createDirectory(temp.resolve("cut" + cut));
      byte[] part = Arrays.copyOf(whole, cut);
      assertThatThrownBy(
              () -> Tree.unpack(new ByteArrayInputStream(part), fresh, Tree.UNPACKED_BYTES))
          .as("cut at %d of %d", cut, whole.length)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the archive is damaged or cut off: ");
    }
    whole[whole.length - 6] ^= 1;
    assertThatThrownBy(() -> Tree.unpack(new ByteArrayInputStream(whole), to, Tree.UNPACKED_BYTES))
        .hasMessageStartingWith("the archive is damaged or cut off: ");
  }

  @Test
  void what_is_no_archive_is_refused() {
    assertThatThrownBy(() ->
            Tree.unpack(
                new ByteArrayInputStream("hello there".getBytes(UTF_8)), to, Tree.UNPACKED_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessage("the archive is damaged or cut off: Not in GZIP format");
  }

  private void folder(String name) throws IOException {
    put(new TarArchiveEntry(name), "");
  }

  private void link(String name, String target) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
    entry.setLinkName(target);
    put(entry, "");
  }

  private void file(String name, String content) throws IOException {
    put(new TarArchiveEntry(name, TarConstants.LF_NORMAL, true), content);
  }

  private void put(TarArchiveEntry entry, String content) throws IOException {
    entry.setSize(content.length());
    tar.putArchiveEntry(entry);
    tar.write(content.getBytes(UTF_8));
    tar.closeArchiveEntry();
  }

  private void unpack() throws IOException {
    tar.close();
    Tree.unpack(new ByteArrayInputStream(bytes.toByteArray()), to, Tree.UNPACKED_BYTES);
  }
}
