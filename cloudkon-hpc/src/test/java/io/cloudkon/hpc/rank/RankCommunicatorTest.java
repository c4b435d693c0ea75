package io.cloudkon.hpc.rank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.handler.Communicator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankCommunicatorTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void broadcast_gives_every_rank_what_the_root_has(int size) {
    for (int root = 0; root < size; root++) {
      int from = root;
      assertThat(Ranks.all(size, world -> text(world.broadcast(from, bytes("of " + world.rank())))))
          .isEqualTo(Collections.nCopies(size, "of " + root));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void reduce_combines_element_by_element_at_the_root_alone(int size) {
    double sum = size * (size - 1) / 2.0;
    for (int root = 0; root < size; root++) {
      int at = root;
      List<double[]> answers =
          Ranks.all(size, world -> world.reduce(at, new double[] {world.rank(), 1}, Double::sum));
      for (int rank = 0; rank < size; rank++) {
        assertThat(answers.get(rank)).isEqualTo(rank == at ? new double[] {sum, size} : none());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void reduce_combines_in_the_order_of_the_ranks(int size) {
    List<double[]> first =
        Ranks.all(size, world -> world.allReduce(new double[] {world.rank()}, (a, b) -> a));
    List<double[]> last =
        Ranks.all(size, world -> world.allReduce(new double[] {world.rank()}, (a, b) -> b));

    assertThat(first).allSatisfy(answer -> assertThat(answer).containsExactly(0));
    assertThat(last).allSatisfy(answer -> assertThat(answer).containsExactly(size - 1));
    // a pair in the wrong order spoils the result
    List<double[]> ordered =
        Ranks.all(
            size,
            world ->
                world.reduce(size - 1, new double[] {world.rank()}, (a, b) -> a < b ? b : 1e9));
    assertThat(ordered.get(size - 1)).containsExactly(size - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void all_reduce_gives_every_rank_the_same_bits_each_time(int size) {
    Ranks.Body<double[]> body =
        world -> world.allReduce(new double[] {1.0 / (3 + world.rank()), 1e16}, Double::sum);
    double[] once = Ranks.all(size, body).getFirst();

    for (int i = 0; i < 5; i++) {
      assertThat(Ranks.all(size, body)).allSatisfy(answer -> assertThat(answer).isEqualTo(once));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void gather_gives_the_root_all_messages_by_rank(int size) {
    List<String> expected = IntStream.range(0, size).mapToObj(i -> "x".repeat(i) + i).toList();
    for (int root = 0; root < size; root++) {
      int at = root;
      List<List<String>> answers =
          Ranks.all(
              size,
              world ->
                  world.gather(at, bytes(expected.get(world.rank()))).stream()
                      .map(RankCommunicatorTest::text)
                      .toList());
      for (int rank = 0; rank < size; rank++) {
        assertThat(answers.get(rank)).isEqualTo(rank == at ? expected : List.of());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
  void barrier_lets_nobody_through_before_the_last_has_come(int size) {
    AtomicInteger here = new AtomicInteger();

    List<Integer> seen =
        Ranks.all(
            size,
            world -> {
              int least = Integer.MAX_VALUE;
              for (int i = 1; i <= 20; i++) {
                here.incrementAndGet();
                world.barrier();
                least = Math.min(least, here.get() - i * world.size());
                world.barrier();
              }
              return least;
            });

    assertThat(seen).allSatisfy(least -> assertThat(least).isNotNegative());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 16})
  void messages_between_two_ranks_keep_their_order_and_stay_apart_from_collectives(int size) {
    List<List<String>> answers = Ranks.all(size, RankCommunicatorTest::mixed);

    assertThat(answers).allSatisfy(a -> assertThat(a).hasSize(size * 4));
    assertThat(answers).isEqualTo(expectedOfMixed(size));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void link_that_repeats_and_reorders_changes_nothing(long seed) throws Exception {
    try (DisorderlyPost post = new DisorderlyPost(seed)) {
      assertThat(Ranks.all(5, Mailbox.DEFAULT_BYTES, post::link, RankCommunicatorTest::mixed))
          .isEqualTo(expectedOfMixed(5));
    }
  }

  @Test
  void full_mailbox_makes_the_sender_wait_and_loses_nothing() {
    int messages = 200;

    List<Integer> sums =
        Ranks.all(
            2,
            1000,
            Ranks::direct,
            world -> {
              int sum = 0;
              for (int i = 0; i < messages; i++) {
                if (world.rank() == 0) {
                  world.send(1, new byte[300 + i]);
                } else {
                  sum += world.receive(0).length;
                }
              }
              world.barrier();
              return sum;
            });

    assertThat(sums.get(1)).isEqualTo(IntStream.range(0, messages).map(i -> 300 + i).sum());
  }

  @Test
  void collective_passes_a_mailbox_that_is_full_of_direct_messages() {
    List<Integer> received =
        Ranks.all(
            3,
            500,
            Ranks::direct,
            world -> {
              if (world.rank() != 0) {
                world.send(0, new byte[400]);
              }
              world.barrier();
              return world.rank() == 0 ? world.receive(2).length + world.receive(1).length : 0;
            });

    assertThat(received).containsExactly(800, 0, 0);
  }

  @Test
  void message_larger_than_the_mailbox_arrives() {
    assertThat(
            Ranks.all(
                2,
                10,
                Ranks::direct,
                world -> world.broadcast(0, new byte[world.rank() == 0 ? 5000 : 0]).length))
        .containsExactly(5000, 5000);
  }

  @Test
  void rank_sends_to_itself_up_to_what_its_mailbox_holds() {
    assertThat(
            Ranks.all(
                1,
                world -> {
                  world.send(0, bytes("self"));
                  return text(world.receive(0));
                }))
        .containsExactly("self");
    CompletableFuture<String> full =
        new Ranks(1, 500)
            .start(
                Ranks::direct,
                world -> {
                  world.send(0, new byte[300]);
                  world.send(0, new byte[300]);
                  return "";
                })
            .getFirst();
    assertThat(Ranks.failure(full))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rank 0 sent itself more than its mailbox holds");
  }

  @Test
  void rank_sends_to_itself_although_others_have_filled_its_mailbox() {
    List<Integer> received =
        Ranks.all(
            2,
            500,
            Ranks::direct,
            world -> {
              if (world.rank() == 1) {
                world.send(0, new byte[400]);
              }
              world.barrier();
              if (world.rank() == 1) {
                return 0;
              }
              world.send(0, new byte[300]);
              return world.receive(0).length + world.receive(1).length;
            });

    assertThat(received).containsExactly(700, 0);
  }

  @Test
  void interruption_ends_every_wait() {
    List<Ranks.Body<Object>> waits =
        List.of(
            world -> world.receive(1),
            world -> world.broadcast(1, new byte[0]),
            world -> world.reduce(0, none(), Double::sum),
            world -> world.allReduce(none(), Double::sum),
            world -> world.gather(0, new byte[0]),
            world -> {
              world.barrier();
              return "";
            },
            world -> {
              world.send(1, new byte[100]);
              world.send(1, new byte[100]);
              return "";
            });
    for (Ranks.Body<Object> wait : waits) {
      Ranks ranks = new Ranks(2, 100);
      List<CompletableFuture<Object>> answers =
          ranks.start(Ranks::direct, world -> world.rank() == 0 ? wait.run(world) : "absent");
      await().until(() -> answers.get(1).isDone() && waits(ranks.thread(0)));

      ranks.interruptAll();

      assertThat(Ranks.failure(answers.getFirst())).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void values_of_different_number_fail_and_name_both_ranks() {
    CompletableFuture<double[]> answer =
        new Ranks(2, 1000)
            .start(
                Ranks::direct, world -> world.reduce(0, new double[3 + world.rank()], Double::sum))
            .getFirst();

    assertThat(Ranks.failure(answer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "rank 0 gave 3 values to be combined, and rank 1 gave 4: every rank must give the same"
                + " number");
  }

  @Test
  void ranks_that_make_different_collective_calls_are_told_so() {
    CompletableFuture<Object> answer =
        new Ranks(2, 1000)
            .start(
                Ranks::direct,
                world ->
                    world.rank() == 0
                        ? world.gather(0, new byte[0])
                        : world.allReduce(none(), Double::sum))
            .getFirst();

    assertThat(Ranks.failure(answer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("rank 0", "0, gather", "rank 1", "0, allReduce", "same order");
  }

  @Test
  void communicator_costs_nothing_for_ranks_that_are_sent_nothing() throws Exception {
    long few = Allocated.bytes(() -> toTheLastOf(2));

    assertThat(Allocated.bytes(() -> toTheLastOf(100_000))).isLessThan(few + 50_000);
  }

  private static void toTheLastOf(int size) throws Exception {
    List<Integer> sentTo = new ArrayList<>();
    Communicator world =
        new RankCommunicator(0, size, (to, frame) -> sentTo.add(to), new Mailbox(size));
    world.send(size - 1, new byte[0]);
    assertThat(sentTo).containsExactly(size - 1);
  }

  @Test
  void rank_that_is_not_there_is_refused_by_every_call() {
    Communicator world =
        new RankCommunicator(0, 2, (to, frame) -> {}, new Mailbox(2, Mailbox.DEFAULT_BYTES));
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls =
        List.of(
            () -> world.send(2, new byte[0]),
            () -> world.receive(-1),
            () -> world.broadcast(2, new byte[0]),
            () -> world.reduce(2, none(), Double::sum),
            () -> world.gather(2, new byte[0]));
    for (var call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("among 2 ranks, they are 0 to 1");
    }
    assertThatThrownBy(() -> new RankCommunicator(2, 2, (to, frame) -> {}, new Mailbox(2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Every rank writes to every rank, with collective calls in between, and answers. */
  private static List<String> mixed(Communicator world) throws Exception {
    List<String> heard = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      for (int to = 0; to < world.size(); to++) {
        world.send(to, bytes(world.rank() + ">" + to + " " + i));
      }
      assertThat(world.allReduce(new double[] {1}, Double::sum)).containsExactly(world.size());
    }
    for (int i = 0; i < 2; i++) {
      for (int from = 0; from < world.size(); from++) {
        heard.add(text(world.receive(from)));
        world.send(from, bytes("re " + world.rank() + " " + i));
      }
      world.barrier();
    }
    for (int i = 0; i < 2; i++) {
      for (int from = 0; from < world.size(); from++) {
        heard.add(text(world.receive(from)));
      }
    }
    return heard;
  }

  private static List<List<String>> expectedOfMixed(int size) {
    List<List<String>> all = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      List<String> heard = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        for (int from = 0; from < size; from++) {
          heard.add(from + ">" + rank + " " + i);
        }
      }
      for (int i = 0; i < 2; i++) {
        for (int from = 0; from < size; from++) {
          heard.add("re " + from + " " + i);
        }
      }
      all.add(heard);
    }
    return all;
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static double[] none() {
    return new double[0];
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
