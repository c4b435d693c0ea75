package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stub makes of a peer that does not do its part. */
@Timeout(60)
class StubsTest {
  private static final String GANG = "gang-1";

  private final String secret = Secrets.fresh();
  private final Stubs stubs =
      new Stubs(RmiSettings.defaults().withTimeouts(200, 300), Identity.none());
  private final Stubs patient =
      new Stubs(RmiSettings.defaults().withTimeouts(20_000, 20_000), Identity.none());

  @BeforeEach
  void quiet() {
    Canary.SUNG.set(0);
  }

  @AfterEach
  void close() {
    stubs.close();
    patient.close();
  }

  @Test
  void nobody_there_is_unreachable() throws Exception {
    int free;
    try (ServerSocket once = new ServerSocket(0)) {
      free = once.getLocalPort();
    }
    fails(Kind.UNREACHABLE, () -> dissolve(stubs, new Address("127.0.0.1", free)));
  }

  @Test
  void a_peer_that_accepts_and_never_answers_is_given_up() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      for (int i = 0; i < 2; i++) {
        fails(Kind.TIMED_OUT, () -> dissolve(stubs, address(silent)));
        try (Socket given = silent.accept()) {
          given.setSoTimeout(20_000);
          assertThat(given.getInputStream().readAllBytes()).as("until it is closed").isNotEmpty();
        }
      }
    }
  }

  @Test
  void a_peer_that_takes_no_more_of_a_large_call_is_given_up() throws Exception {
    try (FakeEndpoint stuck = new FakeEndpoint(FakeEndpoint.STUCK)) {
      RankMessage large = new RankMessage("run/7", 1, 0, 1, new byte[16 * 1024 * 1024]);
      RmiSettings fast =
          new RmiSettings(
              200, 300, Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, 30_000, 10, 128, 5_000);
      try (Stubs hasty = new Stubs(fast, Identity.none())) {
        fails(Kind.TIMED_OUT, () -> hasty.subWorker(stuck.address(), secret).deliver(GANG, large));
      }
    }
  }

  @Test
  void a_peer_that_answers_a_byte_at_a_time_is_given_up() throws Exception {
    try (FakeEndpoint slow = new FakeEndpoint(FakeEndpoint.TRICKLE)) {
      fails(Kind.TIMED_OUT, () -> dissolve(stubs, slow.address()));
    }
  }

  @Test
  void a_peer_that_falls_silent_after_a_call_is_given_up_at_the_next() throws Exception {
    byte[] once = FakeEndpoint.answer(Jrmp.NORMAL, new Standing(true, 5));
    try (FakeEndpoint silent = new FakeEndpoint(once)) {
      ManagerPort manager = stubs.manager(silent.address(), secret);
      assertThat(manager.report(GANG, Messages.REPORT).known()).isTrue();

      fails(Kind.TIMED_OUT, () -> manager.report(GANG, Messages.REPORT));
      assertThat(manager.report(GANG, Messages.REPORT).known()).isTrue();
    }
  }

  @Test
  void a_peer_that_breaks_off_is_unreachable() throws Exception {
    try (FakeEndpoint broken = new FakeEndpoint(new byte[0])) {
      fails(Kind.UNREACHABLE, () -> dissolve(patient, broken.address()));
    }
  }

  @Test
  void a_call_behind_which_nothing_returns_is_given_up_and_the_next_goes_through()
      throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    try (Worker worker = new Worker()) {
      worker.admit(GANG, secret);
      worker.before = () -> forever(stopped);
      fails(Kind.TIMED_OUT, () -> dissolve(stubs, worker.address()));

      worker.before = () -> {};
      dissolve(stubs, worker.address());
      stopped.countDown();
    }
  }

  @Test
  void a_stub_that_was_given_more_time_waits_longer() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(2);
    try (Worker worker = new Worker()) {
      worker.admit(GANG, secret);
      worker.before =
          () -> {
            arrived.countDown();
            forever(answers);
          };
      FutureTask<Boolean> longer =
          new FutureTask<>(() ->
              stubs
                  .subWorker(worker.address(), Secrets.pass(secret, 0), 64)
                  .deliver(GANG, Messages.MESSAGE));
      Thread.ofVirtual().start(longer);
      do { // on a busy machine, a call may time out before it arrives
        fails(Kind.TIMED_OUT, () -> dissolve(stubs, worker.address()));
      } while (!arrived.await(0, TimeUnit.SECONDS));
      fails(Kind.TIMED_OUT, () -> dissolve(stubs, worker.address()));
      assertThat(longer).isNotDone();
      answers.countDown();

      assertThat(longer.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_call_that_this_side_cannot_make_says_nothing_of_the_other() throws Exception {
    try (Worker worker = new Worker()) {
      for (Throwable planted :
          List.of(new OutOfMemoryError("planted"), new IllegalStateException("planted"))) {
        assertThatThrownBy(() ->
                stubs.call(
                    worker.address(),
                    "report",
                    0,
                    1,
                    remotes -> {
                      if (planted instanceof Error error) {
                        throw error;
                      }
                      throw (RuntimeException) planted;
                    }))
            .isInstanceOfSatisfying(
                HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FAILED))
            .hasCause(planted);
      }
    }
  }

  @Test
  void an_interrupt_ends_a_call_on_any_kind_of_thread() throws Exception {
    for (Thread.Builder builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      CountDownLatch stopped = new CountDownLatch(1);
      CountDownLatch arrived = new CountDownLatch(1);
      try (Worker worker = new Worker()) {
        worker.admit(GANG, secret);
        worker.before =
            () -> {
              arrived.countDown();
              forever(stopped);
            };
        FutureTask<Boolean> stillInterrupted =
            new FutureTask<>(() -> {
              fails(Kind.INTERRUPTED, () -> dissolve(patient, worker.address()));
              return Thread.currentThread().isInterrupted();
            });
        Thread caller = builder.start(stillInterrupted);
        arrived.await();
        caller.interrupt();

        assertThat(stillInterrupted.get(30, TimeUnit.SECONDS)).isTrue();
        stopped.countDown();
      }
    }
  }

  @Test
  void close_ends_a_call_that_is_being_made() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    try (Worker worker = new Worker()) {
      worker.admit(GANG, secret);
      worker.before =
          () -> {
            arrived.countDown();
            forever(stopped);
          };
      FutureTask<@Nullable Void> call =
          new FutureTask<>(() -> {
            fails(Kind.UNREACHABLE, () -> dissolve(patient, worker.address()));
            return null;
          });
      Thread.ofVirtual().start(call);
      arrived.await();
      patient.close();

      call.get(30, TimeUnit.SECONDS);
      stopped.countDown();
    }
  }

  @Test
  void answers_that_are_no_answers_are_refused_and_not_read() throws Exception {
    List<Object> values = new ArrayList<>(Shapes.all(1).values());
    values.add(new Welcome(new int[0], 1));
    values.add("text");
    values.add(new HashMap<>());
    for (int code : new int[] {Jrmp.NORMAL, 2, 3}) {
      for (Object value : values) {
        Canary.SUNG.set(0);
        try (FakeEndpoint liar = new FakeEndpoint(FakeEndpoint.answer(code, value))) {
          fails(
              code == Jrmp.NORMAL ? Kind.UNREACHABLE : Kind.FAILED,
              () -> patient.manager(liar.address(), secret).report(GANG, Messages.REPORT));
        }
        assertThat(Canary.SUNG).as("%s", value.getClass()).hasValue(0);
      }
    }
  }

  @Test
  void an_answer_of_null_or_of_another_method_is_refused() throws Exception {
    try (FakeEndpoint liar = new FakeEndpoint(FakeEndpoint.answer(Jrmp.NORMAL, null))) {
      fails(
          Kind.UNREACHABLE,
          () -> patient.manager(liar.address(), secret).report(GANG, Messages.REPORT));
    }
    try (FakeEndpoint liar =
        new FakeEndpoint(FakeEndpoint.answer(Jrmp.NORMAL, new Standing(true, 1)))) {
      fails(
          Kind.UNREACHABLE,
          () -> patient.manager(liar.address(), secret).register(GANG, Messages.REGISTRATION));
    }
  }

  @Test
  void an_answer_that_claims_a_huge_array_is_refused() throws Exception {
    byte[] answer = FakeEndpoint.answer(Jrmp.NORMAL, new Welcome(new int[] {0, 1, 2}, 1));
    int at = answer.length - 3 * Integer.BYTES - Integer.BYTES;
    assertThat(answer[at + 3]).isEqualTo((byte) 3);
    answer[at] = 0x7f;
    try (FakeEndpoint liar = new FakeEndpoint(answer)) {
      fails(
          Kind.UNREACHABLE,
          () -> patient.manager(liar.address(), secret).register(GANG, Messages.REGISTRATION));
    }
  }

  @Test
  void an_answer_that_is_true_is_read_from_a_peer_built_by_hand() throws Exception {
    try (FakeEndpoint honest =
        new FakeEndpoint(FakeEndpoint.answer(Jrmp.NORMAL, new Standing(true, 5)))) {
      assertThat(patient.manager(honest.address(), secret).report(GANG, Messages.REPORT))
          .isEqualTo(new Standing(true, 5));
    }
  }

  private void dissolve(Stubs by, Address address) {
    by.subWorker(address, secret).dissolve(GANG);
  }

  private static Address address(ServerSocket socket) {
    return new Address("127.0.0.1", socket.getLocalPort());
  }

  private static void forever(CountDownLatch until) {
    try {
      until.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HpcCallException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }
}
