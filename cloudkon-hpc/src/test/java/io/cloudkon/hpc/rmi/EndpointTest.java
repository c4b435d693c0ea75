package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndpointTest {
  private static final String GANG = "gang-1";

  private final String secret = Secrets.fresh();
  private final Worker worker = new Worker();
  private final Stubs stubs = new Stubs(Identity.none());
  private final ManagerPort manager = stubs.manager(worker.address(), secret);
  private final SubWorkerPort rank = stubs.subWorker(worker.address(), Secrets.pass(secret, 0));
  private final SubWorkerPort subWorker = stubs.subWorker(worker.address(), secret);

  EndpointTest() {
    worker.admit(GANG, secret);
  }

  @AfterEach
  void close() {
    stubs.close();
    worker.close();
  }

  @Test
  void every_call_arrives_whole_and_is_answered() {
    Welcome welcome = manager.register(GANG, Messages.REGISTRATION);
    assertThat(welcome).usingRecursiveComparison().isEqualTo(new Welcome(new int[] {0, 2}, 7000));
    assertThat(manager.report(GANG, Messages.REPORT)).isEqualTo(new Standing(true, 6000));
    subWorker.ping(GANG);
    assertThat(subWorker.start(GANG, Messages.START)).isEqualTo(Standing.GONE);
    subWorker.kill(GANG, Messages.KILL);
    rank.deliver(GANG, Messages.MESSAGE);
    subWorker.dissolve(GANG);

    assertThat(List.copyOf(worker.told))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                GANG,
                Messages.REGISTRATION,
                GANG,
                Messages.REPORT,
                GANG,
                "ping",
                GANG,
                Messages.START,
                GANG,
                Messages.KILL,
                GANG,
                Messages.MESSAGE,
                GANG,
                "dissolve"));
    assertThat(worker.endpoint.rejected()).isZero();
    assertThat(worker.secrets.refused()).isZero();
  }

  @Test
  void calls_of_many_gangs_and_stubs_one_after_the_other_share_one_connection() {
    for (int i = 0; i < 50; i++) {
      String gang = "gang-of-" + i;
      String own = Secrets.fresh();
      worker.admit(gang, own);
      stubs.manager(worker.address(), own).report(gang, Messages.REPORT);
      stubs.subWorker(worker.address(), own).kill(gang, Messages.KILL);
      worker.forget(gang);
    }

    assertThat(worker.endpoint.connections()).isEqualTo(1);
  }

  @Test
  void calls_at_the_same_time_do_not_wait_for_each_other() throws Exception {
    CountDownLatch together = new CountDownLatch(2);
    worker.before =
        () -> {
          together.countDown();
          uninterrupted(together);
        };
    Thread other = Thread.ofVirtual().start(() -> subWorker.dissolve(GANG));

    subWorker.kill(GANG, Messages.KILL);

    other.join();
    assertThat(together.getCount()).isZero();
  }

  @Test
  void a_large_payload_arrives() {
    byte[] large = new byte[20 * 1024 * 1024];
    large[large.length - 1] = 7;

    rank.deliver(GANG, new RankMessage("run/7", 1, 0, 1, large));

    assertThat(worker.told.poll()).isEqualTo(GANG);
    assertThat(((RankMessage) worker.told.remove()).bytes()).isEqualTo(large);
  }

  @Test
  void a_payload_larger_than_allowed_is_refused_and_counted() {
    RmiSettings small =
        new RmiSettings(1000, 2000, 1024 * 1024, 1000, 3000, 30_000, 10, 128, 5_000);
    try (Worker strict = new Worker(0, small)) {
      strict.admit(GANG, secret);
      SubWorkerPort stub = stubs.subWorker(strict.address(), Secrets.pass(secret, 0));

      stub.deliver(GANG, new RankMessage("run/7", 1, 0, 1, new byte[1000]));
      fails(
          Kind.FAILED, () -> stub.deliver(GANG, new RankMessage("run/7", 1, 0, 1, new byte[1001])));

      assertThat(strict.endpoint.rejected()).isEqualTo(1);
      assertThat(strict.told).hasSize(2);
    }
  }

  @Test
  void more_connections_than_allowed_are_closed() throws Exception {
    RmiSettings two = new RmiSettings(1000, 2000, 1024 * 1024, 1000, 3000, 30_000, 2, 128, 5_000);
    try (Worker strict = new Worker(0, two);
        RawCaller first = new RawCaller(strict.address()).greet();
        RawCaller second = new RawCaller(strict.address()).greet();
        RawCaller third = new RawCaller(strict.address())) {
      third.awaitEnd();

      assertThat(strict.endpoint.open()).isEqualTo(2);
      assertThat(strict.endpoint.rejected()).isEqualTo(1);
    }
  }

  @Test
  void a_failure_behind_the_endpoint_is_no_refusal_and_the_next_call_goes_through() {
    List<Runnable> failures =
        List.of(
            () -> {
              throw new IllegalStateException("planted");
            },
            () -> {
              throw new OutOfMemoryError("planted");
            },
            () -> {
              throw new HpcCallException(Kind.TIMED_OUT, "planted", null);
            });
    for (Runnable failure : failures) {
      worker.before = failure;
      fails(Kind.FAILED, () -> manager.report(GANG, Messages.REPORT));
      worker.before = () -> {};

      assertThat(manager.report(GANG, Messages.REPORT).known()).isTrue();
    }
    assertThat(worker.secrets.refused()).isZero();
  }

  @Test
  void what_is_called_sees_its_own_class_loader_as_context() {
    ClassLoader[] seen = new ClassLoader[1];
    worker.before = () -> seen[0] = Thread.currentThread().getContextClassLoader();

    subWorker.kill(GANG, Messages.KILL);

    assertThat(seen[0]).isSameAs(Door.class.getClassLoader());
  }

  @Test
  void two_endpoints_in_one_process_are_apart() {
    try (Worker other = new Worker()) {
      String others = Secrets.fresh();
      other.admit(GANG, others);

      subWorker.kill(GANG, Messages.KILL);
      stubs.subWorker(other.address(), others).dissolve(GANG);
      fails(Kind.REFUSED, () -> stubs.subWorker(other.address(), secret).dissolve(GANG));

      assertThat(List.copyOf(worker.told)).containsExactly(GANG, Messages.KILL);
      assertThat(List.copyOf(other.told)).containsExactly(GANG, "dissolve");
      assertThat(worker.secrets.refused()).isZero();
      assertThat(other.secrets.refused()).isEqualTo(1);
    }
    subWorker.kill(GANG, Messages.KILL);
  }

  @Test
  void close_frees_the_port_and_every_connection_and_thread() throws Exception {
    subWorker.kill(GANG, Messages.KILL);
    int port = worker.address().port();
    RawCaller idle = new RawCaller(worker.address()).greet();

    worker.close();
    worker.close();

    idle.awaitEnd();
    assertThat(worker.endpoint.open()).isZero();
    await().until(() -> threads("RMI TCP Accept-" + port).isEmpty());
    try (ServerSocket free = new ServerSocket()) {
      free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    fails(Kind.UNREACHABLE, () -> subWorker.kill(GANG, Messages.KILL));
    stubs.close();
    fails(Kind.UNREACHABLE, () -> subWorker.kill(GANG, Messages.KILL));
    idle.close();
  }

  @Test
  void a_worker_that_came_back_at_the_same_port_is_found_again() {
    subWorker.kill(GANG, Messages.KILL);
    worker.close();
    fails(Kind.UNREACHABLE, () -> subWorker.kill(GANG, Messages.KILL));

    try (Worker again = new Worker(worker.address().port(), RmiSettings.defaults())) {
      again.admit(GANG, secret);
      subWorker.dissolve(GANG);
      assertThat(List.copyOf(again.told)).containsExactly(GANG, "dissolve");
    }
  }

  @Test
  void an_address_or_port_that_cannot_be_had_is_bad_usage() {
    assertThatThrownBy(() -> open("192.0.2.1", 0))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--rmi-address 192.0.2.1");
    assertThatThrownBy(() -> open("0.0.0.0", 0))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("expected one address of this machine");
    assertThatThrownBy(() -> open("127.0.0.1", worker.address().port()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--rmi-port " + worker.address().port());
    assertThatThrownBy(() -> open("127.0.0.1", 65536)).isInstanceOf(UsageException.class);
  }

  private void open(String address, int port) {
    Endpoint.open(address, port, worker, worker, worker.secrets, Identity.none()).close();
  }

  private static List<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
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
