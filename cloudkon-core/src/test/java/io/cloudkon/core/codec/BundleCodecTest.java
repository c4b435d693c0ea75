package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.ByteString;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.wire.WireBundle;
import io.cloudkon.core.wire.WireConsistency;
import io.cloudkon.core.wire.WireContent;
import io.cloudkon.core.wire.WireExec;
import io.cloudkon.core.wire.WireJava;
import io.cloudkon.core.wire.WireKind;
import io.cloudkon.core.wire.WireNoop;
import io.cloudkon.core.wire.WireStored;
import io.cloudkon.core.wire.WireTask;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BundleCodecTest {
  private static final BundleHeader HEADER =
      new BundleHeader(
          "run", "epoch", "run/epoch/3", "Q-response-c", Consistency.AT_MOST_ONCE, 65536, 1, 2, 3);

  private static Bundle bundle(Task... tasks) {
    return new Bundle(HEADER, List.of(tasks));
  }

  private static Task task(int ordinal, Work work) {
    return new Task(ordinal, Integer.toString(ordinal + 1), work, 0);
  }

  private static Bundle noops(int count) {
    return new Bundle(
        HEADER, IntStream.range(0, count).mapToObj(i -> task(i, Work.Noop.INSTANCE)).toList());
  }

  private static void assertRoundTrip(Bundle bundle) throws MalformedMessageException {
    assertThat(BundleCodec.decode(BundleCodec.encode(bundle)))
        .usingRecursiveComparison()
        .isEqualTo(bundle);
  }

  @Test
  void every_kind_of_work_comes_back() throws MalformedMessageException {
    byte[] stdin = {0, 1, -1};
    assertRoundTrip(
        bundle(
            task(7, Work.Noop.INSTANCE),
            task(8, new Work.Sleep(0)),
            task(9, new Work.Sleep(Long.MAX_VALUE)),
            task(10, Work.Exec.shell("echo 'hallo wörld' | cat")),
            task(11, new Work.Exec(List.of("p", ""), "/tmp", Map.of("A", "", "B", "=x"), stdin)),
            task(12, new Work.JavaCall("echo", List.of())),
            task(13, new Work.JavaCall("echo", List.of("", "a b", "\u2603")))));
  }

  @Test
  void random_bundles_come_back() throws MalformedMessageException {
    RandomMessages random = new RandomMessages(1);
    for (int i = 0; i < 100; i++) {
      assertRoundTrip(random.bundle(40));
    }
  }

  @Test
  void tries_before_a_task_was_handed_on_come_back() throws MalformedMessageException {
    Task failing = new Task(6, "", Work.Noop.INSTANCE, 0, 3);
    Bundle child =
        bundle(failing, failing.with(new Work.Sleep(1))).child(2, Positions.of(0), p -> 2);

    assertThat(BundleCodec.decode(BundleCodec.encode(child)).tasks())
        .extracting(Task::retries, Task::tried)
        .containsExactly(tuple(3, 2));
  }

  @Test
  void default_ids_take_no_bytes() throws MalformedMessageException {
    Bundle full = noops(Limits.TASKS_PER_BUNDLE);

    byte[] encoded = BundleCodec.encode(full);

    assertThat(encoded.length).isLessThan(100 + 4 * Limits.TASKS_PER_BUNDLE);
    assertThat(BundleCodec.decode(encoded)).isEqualTo(full);
  }

  @Test
  void ids_that_look_like_defaults_but_are_not_come_back() throws MalformedMessageException {
    for (String id : List.of("07", "6", "8", "-7", "+7", "77", "7 ", "0x7")) {
      assertRoundTrip(bundle(new Task(6, id, Work.Noop.INSTANCE, 0)));
    }
  }

  @Test
  void gaps_between_ordinals_come_back() throws MalformedMessageException {
    assertRoundTrip(
        bundle(
            task(0, Work.Noop.INSTANCE),
            task(5, Work.Noop.INSTANCE),
            task(6, Work.Noop.INSTANCE),
            task(1_000_000_000, Work.Noop.INSTANCE)));
  }

  @Test
  void last_ordinal_of_a_run_comes_back_and_the_one_after_is_refused()
      throws MalformedMessageException {
    assertRoundTrip(bundle(task(Limits.TASKS_PER_RUN - 1, Work.Noop.INSTANCE)));

    Bundle beyond =
        bundle(
            task(Limits.TASKS_PER_RUN, Work.Noop.INSTANCE),
            task(Limits.TASKS_PER_RUN + 1, Work.Noop.INSTANCE));
    assertThatThrownBy(() -> BundleCodec.decode(BundleCodec.encode(beyond)))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void default_timeout_counts_for_tasks_that_name_none() throws MalformedMessageException {
    WireBundle wire =
        legal()
            .setDefaultTimeoutMillis(5000)
            .addTasks(WireTask.newBuilder().setNoop(WireNoop.getDefaultInstance()))
            .addTasks(
                WireTask.newBuilder().setNoop(WireNoop.getDefaultInstance()).setTimeoutMillis(7))
            .build();

    assertThat(BundleCodec.decode(wire.toByteArray()).tasks())
        .extracting(Task::timeoutMillis)
        .containsExactly(5000L, 7L);
  }

  @Test
  void unknown_fields_are_skipped() throws Exception {
    Bundle bundle = noops(3);
    byte[] more =
        WireBundle.parseFrom(BundleCodec.encode(bundle)).toBuilder()
            .setUnknownFields(
                com.google.protobuf.UnknownFieldSet.newBuilder()
                    .addField(
                        1000,
                        com.google.protobuf.UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                    .build())
            .build()
            .toByteArray();

    assertThat(BundleCodec.decode(more)).isEqualTo(bundle);
  }

  @Test
  void size_of_a_task_is_what_it_adds() {
    RandomMessages random = new RandomMessages(2);
    for (int i = 0; i < 100; i++) {
      List<Task> tasks = contiguous(random.tasks(30));
      int header = BundleCodec.encode(new Bundle(HEADER, tasks.subList(0, 1))).length;
      int added = tasks.stream().skip(1).mapToInt(BundleCodec::sizeOf).sum();

      assertThat(BundleCodec.encode(new Bundle(HEADER, tasks)).length)
          .isBetween(header + added - tasks.size(), header + added);
    }
  }

  private static List<Task> contiguous(List<Task> tasks) {
    return IntStream.range(0, tasks.size())
        .mapToObj(i -> new Task(i, tasks.get(i).id(), tasks.get(i).work(), 0))
        .toList();
  }

  @Test
  void more_bytes_than_a_message_has_are_refused() {
    assertThatThrownBy(() -> BundleCodec.decode(new byte[Limits.MESSAGE_BYTES + 1]))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("1048576");
  }

  @Test
  void more_tasks_than_a_bundle_has_are_refused() {
    WireBundle.Builder wire = legal();
    WireTask noop = WireTask.newBuilder().setNoop(WireNoop.getDefaultInstance()).build();
    wire.addAllTasks(Collections.nCopies(Limits.TASKS_PER_BUNDLE + 1, noop));

    assertThatThrownBy(() -> BundleCodec.decode(wire.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("4096");
  }

  private static WireBundle.Builder legal() {
    return WireBundle.newBuilder()
        .setVersion(1)
        .setRun("run")
        .setEpoch("epoch")
        .setBundle("run/epoch/3")
        .setResponseQueue("q")
        .setConsistency(WireConsistency.EXACTLY_ONCE);
  }

  private static Arguments bad(String what, Consumer<WireBundle.Builder> change) {
    return arguments(what, change);
  }

  private static Arguments badTask(String what, Consumer<WireTask.Builder> change) {
    return bad(what, bundle -> change.accept(bundle.getTasksBuilder(0)));
  }

  private static Arguments badExec(String what, Consumer<WireExec.Builder> change) {
    return badTask(
        what,
        task -> {
          WireExec.Builder exec = WireExec.newBuilder().addArgv("prog");
          change.accept(exec);
          task.setExec(exec);
        });
  }

  static Stream<Arguments> illegal() {
    return Stream.of(
        bad("no version", b -> b.setVersion(0)),
        bad("a newer version", b -> b.setVersion(2)),
        bad("a version above 2^31", b -> b.setVersion(-1)),
        bad("no run", b -> b.setRun("")),
        bad("a run with a slash", b -> b.setRun("r/x").setBundle("r/x/epoch/3")),
        bad("a long run", b -> b.setRun("r".repeat(41)).setBundle("r".repeat(41) + "/epoch/3")),
        bad("no epoch", b -> b.setEpoch("").setBundle("run//3")),
        bad("a bundle of another run", b -> b.setBundle("other/epoch/3")),
        bad("a bundle of another epoch", b -> b.setBundle("run/other/3")),
        bad("a bundle without number", b -> b.setBundle("run/epoch/")),
        bad("a bundle with a sign", b -> b.setBundle("run/epoch/+3")),
        bad("a bundle with other digits", b -> b.setBundle("run/epoch/\u0663")),
        bad("a bundle number too large", b -> b.setBundle("run/epoch/3000000000")),
        bad("a child without number", b -> b.setBundle("run/epoch/3/")),
        bad("a child with a word", b -> b.setBundle("run/epoch/3/x")),
        bad("a long bundle id", b -> b.setBundle("run/epoch/3" + "/1".repeat(150))),
        bad("no response queue", b -> b.setResponseQueue("")),
        bad("a response queue's address", b -> b.setResponseQueue("http://x")),
        bad("a long response queue", b -> b.setResponseQueue("q".repeat(81))),
        bad("no consistency", b -> b.setConsistencyValue(0)),
        bad("an unknown consistency", b -> b.setConsistencyValue(9)),
        bad("an unknown scope of claims", b -> b.setClaimValue(9)),
        bad("a large capture", b -> b.setCaptureBytes(Limits.CAPTURE_BYTES + 1)),
        bad("a capture above 2^31", b -> b.setCaptureBytes(-1)),
        bad("a ship without name", b -> b.addShips(content().clearName())),
        bad("a ship that is a path", b -> b.addShips(content().setName("a/b"))),
        bad("a ship that is the folder above", b -> b.addShips(content().setName(".."))),
        bad("a ship without hash", b -> b.addShips(content().clearSha256())),
        bad("a ship with a path for hash", b -> b.addShips(content().setSha256("../x"))),
        bad("a ship too large", b -> b.addShips(content().setBytes(Limits.BLOB_BYTES + 1))),
        bad("too many ships", b -> addShips(b, Limits.SHIPS + 1)),
        bad("dependencies", b -> b.addAfter("run/epoch/2")),
        bad("a timeout above 2^63", b -> b.setDefaultTimeoutMillis(-1)),
        bad("an ordinal above 2^31", b -> b.setFirstOrdinal(-1)),
        bad("an ordinal above the limit", b -> b.setFirstOrdinal(Integer.MAX_VALUE)),
        bad("no tasks", WireBundle.Builder::clearTasks),
        badTask("a task without work", WireTask.Builder::clearWork),
        badTask("a skip beyond the limit", t -> t.setSkip(Integer.MAX_VALUE)),
        badTask("a skip above 2^31", t -> t.setSkip(-1)),
        badTask("a long id", t -> t.setId("i".repeat(Limits.ID_BYTES + 1))),
        badTask("too many ranks", t -> t.setRanks(Limits.RANKS + 1)),
        badTask("a negative number of ranks", t -> t.setRanks(-1)),
        badTask("an MPI program without ranks", t -> t.setMpi(true)),
        badTask("an MPI program that is no command", t -> t.setRanks(2).setMpi(true)),
        badTask("too many retries", t -> t.setRetries(Limits.RETRIES + 1)),
        badTask("retries above 2^31", t -> t.setRetries(-1)),
        badTask("too many tries", t -> t.setTried(Limits.RETRIES + 2)),
        badTask("tries above 2^31", t -> t.setTried(-1)),
        badTask("stored work without content", t -> t.setStored(stored().clearContent())),
        badTask("stored work of no kind", t -> t.setStored(stored().clearKind())),
        badTask("stored work of an unknown kind", t -> t.setStored(stored().setKindValue(9))),
        badTask("a task timeout above 2^63", t -> t.setTimeoutMillis(-1)),
        badTask("a sleep above 2^63", t -> t.setSleepMillis(-1)),
        badTask("a handler without name", t -> t.setJava(WireJava.getDefaultInstance())),
        badExec("no program", WireExec.Builder::clearArgv),
        badExec("an empty program", e -> e.setArgv(0, "")),
        badExec("NUL in an argument", e -> e.addArgv("a\0b")),
        badExec("NUL in the directory", e -> e.setDirectory("\0")),
        badExec("an environment name with =", e -> e.putEnvironment("A=B", "")),
        badExec("an empty environment name", e -> e.putEnvironment("", "x")),
        badExec("NUL in the environment", e -> e.putEnvironment("A", "\0")));
  }

  private static WireContent.Builder content() {
    return WireContent.newBuilder().setSha256("0f".repeat(32)).setBytes(7).setName("data");
  }

  private static WireStored.Builder stored() {
    return WireStored.newBuilder().setKind(WireKind.KIND_EXEC).setContent(content());
  }

  private static void addShips(WireBundle.Builder bundle, int count) {
    for (int i = 0; i < count; i++) {
      bundle.addShips(content());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("illegal")
  void bundle_that_is_against_the_rules_is_refused(String what, Consumer<WireBundle.Builder> change)
      throws MalformedMessageException {
    WireBundle.Builder wire =
        legal().addTasks(WireTask.newBuilder().setNoop(WireNoop.getDefaultInstance()));
    assertThat(BundleCodec.decode(wire.build().toByteArray()).tasks()).hasSize(1);

    change.accept(wire);

    assertThatThrownBy(() -> BundleCodec.decode(wire.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("expected ");
  }

  @Test
  void bytes_that_are_no_protobuf_are_refused() {
    for (byte[] bytes :
        List.of(
            new byte[0],
            new byte[] {1},
            "hello, world".getBytes(java.nio.charset.StandardCharsets.UTF_8),
            ByteString.fromHex("ffffffffffffffffffff01").toByteArray())) {
      assertThatThrownBy(() -> BundleCodec.decode(bytes))
          .isInstanceOf(MalformedMessageException.class);
    }
  }
}
