package io.cloudkon.core.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.ScriptedPlan;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.Allocations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link BlobStore} does. */
public abstract class BlobStoreContract extends PortContract {
  private static final int MIB = 1024 * 1024;

  @TempDir Path folder;

  /** Whether the service counts an object's age from its last copy, as S3 does. */
  protected boolean countsAgeFromCopies() {
    return true;
  }

  private BlobStore store() {
    return cluster().blobs();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private Path file(String name, int mebibytes) throws IOException {
    Path file = folder.resolve(name);
    byte[] part = bytes(MIB);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < mebibytes; i++) {
        part[0] = (byte) i;
        out.write(part);
      }
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100_000, 64 * MIB})
  void get_gives_the_bytes_that_were_put(int length) {
    byte[] content = bytes(length);

    store().put("run/in/a", content);

    byte[] got = store().get("run/in/a").orElseThrow();
    assertThat(Arrays.equals(got, content)).as("the same bytes").isTrue();
  }

  @Test
  void renew_lets_the_age_of_what_is_older_begin_anew() {
    store().put("run/in/a", bytes(100));
    store().put("other/in/a", bytes(1));
    fixture().advance(Duration.ofSeconds(2));
    long between = fixture().serviceMillis();
    fixture().advance(Duration.ofSeconds(2));
    store().put("run/in/b", bytes(1));

    assertThat(store().renew("run/", between)).isEqualTo(1);

    if (countsAgeFromCopies()) {
      assertThat(store().renew("run/", between)).as("what was renewed is new").isZero();
    }
    assertThat(store().get("run/in/a"))
        .hasValueSatisfying(got -> assertThat(got).isEqualTo(bytes(100)));
    assertThat(store().renew("absent/", between)).isZero();
  }

  @Test
  void get_of_an_absent_key_is_empty_and_makes_no_file() {
    store().put("run/in/ab", bytes(1));
    Path file = folder.resolve("absent");

    assertThat(store().get("run/in/a")).isEmpty();
    assertThat(store().get("run/in/a", file)).isFalse();
    assertThat(file).doesNotExist();
  }

  @Test
  void put_under_the_same_key_again_is_no_failure() throws IOException {
    byte[] content = bytes(1000);
    Path file = folder.resolve("content");
    Files.write(file, content);

    store().put("run/in/a", content);
    store().put("run/in/a", content);
    store().put("run/in/a", file);

    assertThat(store().get("run/in/a")).hasValue(content);
    assertThat(store().list("run/")).containsExactly("run/in/a");
  }

  @Test
  void put_under_the_same_key_by_two_at_once_is_no_failure() throws IOException {
    byte[] content = bytes(100_000);
    Path file = folder.resolve("content");
    Files.write(file, content);

    AtOnce.call(putting(content), putting(file));
    AtOnce.call(putting(content), putting(content));

    assertThat(store().get("run/in/a")).hasValue(content);
  }

  private Callable<Boolean> putting(byte[] content) {
    return () -> {
      store().put("run/in/a", content);
      return true;
    };
  }

  private Callable<Boolean> putting(Path file) {
    return () -> {
      store().put("run/in/a", file);
      return true;
    };
  }

  @Test
  void content_belongs_to_the_store_once_it_was_put() throws IOException {
    byte[] content = bytes(10);
    Path file = folder.resolve("content");
    Files.write(file, content);
    store().put("run/in/bytes", content.clone());
    byte[] mine = content.clone();
    store().put("run/in/mine", mine);
    store().put("run/in/file", file);

    mine[0]++;
    store().get("run/in/bytes").orElseThrow()[0]++;
    Files.delete(file);

    for (String key : store().list("run/")) {
      assertThat(store().get(key)).as(key).hasValue(content);
    }
  }

  @Test
  void get_and_put_take_files_for_bytes_and_bytes_for_files() throws IOException {
    byte[] content = bytes(300_000);
    Path file = folder.resolve("content");
    Files.write(file, content);
    Path longer = folder.resolve("longer");
    Files.write(longer, bytes(400_000));

    store().put("run/in/file", file);
    store().put("run/in/bytes", content);

    assertThat(store().get("run/in/file")).hasValue(content);
    assertThat(store().get("run/in/bytes", longer)).isTrue();
    assertThat(longer).hasBinaryContent(content);
  }

  @Test
  void empty_file_is_content_too() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty"));
    Path got = folder.resolve("got");

    store().put("run/in/empty", empty);

    assertThat(store().get("run/in/empty", got)).isTrue();
    assertThat(got).isEmptyFile();
  }

  @Test
  void file_that_can_not_be_read_is_named() {
    Path absent = folder.resolve("absent");

    assertThatThrownBy(() -> store().put("run/in/a", absent))
        .isExactlyInstanceOf(LocalFileException.class)
        .hasMessageStartingWith("cannot read '%s'", absent);
    assertThatThrownBy(() -> store().put("run/in/a", folder))
        .isExactlyInstanceOf(LocalFileException.class)
        .hasMessageStartingWith("cannot read '%s'", folder);
    assertThat(store().get("run/in/a")).isEmpty();
  }

  @Test
  void file_that_can_not_be_written_is_named() {
    store().put("run/in/a", bytes(10));
    Path nowhere = folder.resolve("absent").resolve("file");

    assertThatThrownBy(() -> store().get("run/in/a", nowhere))
        .isExactlyInstanceOf(LocalFileException.class)
        .hasMessageStartingWith("cannot write '%s'", nowhere);
    assertThatThrownBy(() -> store().get("run/in/a", folder))
        .isExactlyInstanceOf(LocalFileException.class)
        .hasMessageStartingWith("cannot write '%s'", folder);
    assertThat(folder).isDirectory();
  }

  @Test
  void list_gives_the_keys_that_begin_like_this_in_order() {
    for (String key : List.of("a/10/x", "a/1/y", "a/1/x", "a/1", "a/2/x", "a/1x", "A/1/x")) {
      store().put(key, bytes(1));
    }

    assertThat(store().list("a/1/")).containsExactly("a/1/x", "a/1/y");
    assertThat(store().list("a/10/")).containsExactly("a/10/x");
    assertThat(store().list("a/1")).containsExactly("a/1", "a/1/x", "a/1/y", "a/10/x", "a/1x");
    assertThat(store().list("a/3/")).isEmpty();
    assertThat(store().list("")).hasSize(7);
  }

  @Test
  void remove_all_leaves_what_begins_otherwise() {
    for (String key : List.of("a/1/x", "a/1/y/z", "a/10/x", "a/2/x", "a/1")) {
      store().put(key, bytes(1));
    }

    store().removeAll("a/1/");

    assertThat(store().list("")).containsExactly("a/1", "a/10/x", "a/2/x");
    assertThat(store().get("a/1/x")).isEmpty();
    assertThatCode(() -> store().removeAll("a/1/")).doesNotThrowAnyException();
  }

  @Test
  void clusters_do_not_see_each_others_blobs() {
    try (ClusterFixture other = newFixture()) {
      store().put("run/in/a", bytes(1));
      other.cluster().blobs().put("run/in/b", bytes(1));

      store().removeAll("");

      assertThat(other.cluster().blobs().list("")).containsExactly("run/in/b");
      assertThat(store().get("run/in/b")).isEmpty();
    }
  }

  @Test
  void more_than_a_thousand_are_listed_and_removed() {
    List<String> keys = IntStream.range(0, 1010).mapToObj("run/out/%04d"::formatted).toList();
    List<Callable<Boolean>> puts = new ArrayList<>();
    for (List<String> part : List.of(keys.subList(0, 500), keys.subList(500, 1010))) {
      puts.add(() -> {
        part.forEach(key -> store().put(key, bytes(1)));
        return true;
      });
    }
    AtOnce.call(puts.get(0), puts.get(1));
    store().put("run2/out/0", bytes(1));

    assertThat(store().list("run/")).isEqualTo(keys);
    store().removeAll("run/");

    assertThat(store().list("")).containsExactly("run2/out/0");
  }

  @Test
  void key_may_have_odd_characters() {
    List<String> keys = new ArrayList<>();
    for (String odd :
        List.of(
            " ", "+", "%", "%20", "%2F", "&=", "?", "#", "'", "\"", "<>", "()", "[]", "*", ":", ";",
            "@", "$", ",", "!", "|", "~", "é", "日本")) {
      keys.add("run/in/a%sb".formatted(odd));
    }
    Collections.sort(keys);
    keys.forEach(key -> store().put(key, key.getBytes(UTF_8)));

    keys.forEach(key -> assertThat(store().get(key)).as(key).hasValue(key.getBytes(UTF_8)));
    assertThat(store().list("run/")).isEqualTo(keys);
    store().removeAll("run/in/a");

    assertThat(store().list("")).isEmpty();
  }

  @Test
  void put_whose_answer_was_lost_has_happened_and_may_be_made_again() throws IOException {
    ScriptedPlan plan = new ScriptedPlan();
    plan.at(Operation.BLOB_PUT, 1, Fate.ANSWER_LOST).at(Operation.BLOB_PUT, 3, Fate.ANSWER_LOST);
    BlobStore lossy = new UnreliableCluster(cluster(), plan).cluster().blobs();
    byte[] content = bytes(1000);
    Path file = folder.resolve("content");
    Files.write(file, content);

    assertThatThrownBy(() -> lossy.put("run/in/bytes", content))
        .isInstanceOf(TransientServiceException.class);
    lossy.put("run/in/bytes", content);
    assertThatThrownBy(() -> lossy.put("run/in/file", file))
        .isInstanceOf(TransientServiceException.class);
    lossy.put("run/in/file", file);

    assertThat(lossy.get("run/in/bytes")).hasValue(content);
    assertThat(lossy.get("run/in/file")).hasValue(content);
  }

  @Test
  void cluster_that_does_not_exist_says_how_to_create_it() throws IOException {
    BlobStore missing = fixture().missing().blobs();
    Path file = Files.createFile(folder.resolve("content"));
    String way = "cloudkon setup -s " + fixture().missing().name();

    assertThatThrownBy(() -> missing.put("run/in/a", bytes(1)))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageEndingWith(way);
    assertThatThrownBy(() -> missing.put("run/in/a", file))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageEndingWith(way);
    assertThatCode(() -> missing.removeAll("run/")).doesNotThrowAnyException();
  }

  @Test
  void file_of_100_MiB_comes_back_and_needs_memory_for_a_part_of_it_only() throws IOException {
    Path file = file("large", 100);
    Path got = folder.resolve("got");

    long largest =
        Allocations.largestOf(() -> {
          store().put("run/in/large", file);
          assertThat(store().get("run/in/large", got)).isTrue();
        });

    assertThat(got).hasSameBinaryContentAs(file);
    assertThat(largest).as("the largest array, in bytes").isLessThan(2 * MIB);
  }

  @Test
  void bytes_that_were_put_are_seen_by_the_measure_of_memory() throws IOException {
    byte[] content = bytes(10 * MIB);
    store().put("run/in/a", content);

    long largest = Allocations.largestOf(() -> assertThat(store().get("run/in/a")).isPresent());

    assertThat(largest).isGreaterThanOrEqualTo(content.length);
  }
}
