package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ObjID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusedCallTest {
  private static final String GANG = "gang-1";

  private final String secret = Secrets.fresh();
  private final String wrong = Secrets.fresh();
  private final Worker worker = new Worker();
  private final Stubs stubs = new Stubs(Identity.none());

  RefusedCallTest() {
    worker.admit(GANG, secret);
  }

  @AfterEach
  void close() {
    stubs.close();
    worker.close();
  }

  @Test
  void a_wrong_secret_is_refused_by_every_method_and_counted() {
    ManagerPort manager = stubs.manager(worker.address(), wrong);
    Registration uninvited =
        new Registration("w3", Messages.HERE, new int[] {1}, new String[] {wrong}, "own");
    SubWorkerPort subWorker = stubs.subWorker(worker.address(), wrong);
    List<Runnable> calls =
        List.of(
            () -> manager.register(GANG, uninvited),
            () -> manager.report(GANG, Messages.REPORT),
            () -> subWorker.ping(GANG),
            () -> subWorker.start(GANG, Messages.START),
            () -> subWorker.kill(GANG, Messages.KILL),
            () -> subWorker.dissolve(GANG),
            () -> subWorker.deliver(GANG, Messages.MESSAGE));

    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED))
          .hasMessageContaining("it does not know the gang or the secret")
          .hasMessageNotContainingAny(wrong, secret);
    }

    assertThat(worker.secrets.refused()).isEqualTo(calls.size());
    assertThat(worker.told).isEmpty();
  }

  @Test
  void a_right_to_one_call_is_none_to_another() {
    String ticket = Secrets.ticket(Messages.GANGS_SECRET, 1);
    String pass = Secrets.pass(secret, 0);
    String members = "the-own-secret-of-another-member";
    worker.secrets.join(GANG, "w4", members, "");
    Registration invited =
        new Registration("w5", Messages.HERE, new int[] {1}, new String[] {ticket}, "own-5");
    Registration forAnother =
        new Registration("w6", Messages.HERE, new int[] {2}, new String[] {ticket}, "own-6");
    Registration asAnother =
        new Registration("w4", Messages.HERE, new int[] {1}, new String[] {ticket}, "own-7");
    ManagerPort manager = stubs.manager(worker.address(), ticket);
    List<Runnable> calls = new ArrayList<>();
    calls.add(() -> manager.register(GANG, forAnother));
    calls.add(() -> manager.register(GANG, asAnother));
    for (String given : List.of(ticket, pass, members)) {
      calls.add(() -> stubs.manager(worker.address(), given).report(GANG, Messages.REPORT));
      SubWorkerPort subWorker = stubs.subWorker(worker.address(), given);
      calls.add(() -> subWorker.ping(GANG));
      calls.add(() -> subWorker.start(GANG, Messages.START));
      calls.add(() -> subWorker.kill(GANG, Messages.KILL));
      calls.add(() -> subWorker.dissolve(GANG));
      if (!given.equals(pass)) {
        calls.add(() -> subWorker.deliver(GANG, Messages.MESSAGE));
      }
    }
    SubWorkerPort rank = stubs.subWorker(worker.address(), pass);
    calls.add(() -> rank.deliver(GANG, new RankMessage("run/7", 2, 1, 0, new byte[1])));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FAILED));
    }
    assertThat(worker.secrets.refused()).isEqualTo(calls.size());
    assertThat(worker.log)
        .containsExactly("refused a call of 127.0.0.1: no right to this call; 1 so far");
    assertThat(worker.told).isEmpty();
    assertThat(manager.register(GANG, invited).accepted()).containsExactly(1);
    assertThat(rank.deliver(GANG, Messages.MESSAGE)).isTrue();
  }

  @Test
  void a_large_call_with_a_wrong_secret_is_refused_too() {
    RankMessage large = new RankMessage("run/7", 1, 0, 1, new byte[8 * 1024 * 1024]);

    assertThatThrownBy(() -> stubs.subWorker(worker.address(), wrong).deliver(GANG, large))
        .isInstanceOfSatisfying(
            HpcCallException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED));
  }

  /** A rank that asked once more after its job was over was reported like an intruder. */
  @Test
  void a_forgotten_gang_is_refused_calmly_with_its_secret_and_an_unknown_one_is_not() {
    SubWorkerPort subWorker = stubs.subWorker(worker.address(), secret);
    subWorker.dissolve(GANG);
    worker.forget(GANG);

    assertThatThrownBy(() -> subWorker.dissolve(GANG)).isInstanceOf(HpcCallException.class);
    assertThat(worker.calm).containsExactly("ignored a late call of 127.0.0.1: its gang is over");
    assertThat(worker.log).isEmpty();
    assertThat(worker.secrets.refused()).isZero();
    assertThat(worker.secrets.late()).isEqualTo(1);

    SubWorkerPort intruder = stubs.subWorker(worker.address(), wrong);
    assertThatThrownBy(() -> intruder.dissolve(GANG)).isInstanceOf(HpcCallException.class);
    assertThatThrownBy(() -> subWorker.dissolve("gang-2")).isInstanceOf(HpcCallException.class);

    assertThat(worker.calm).hasSize(1);
    assertThat(worker.log).hasSize(1).first().asString().contains("unknown gang or wrong secret");
    assertThat(worker.secrets.refused()).isEqualTo(2);
    assertThat(worker.told).hasSize(2);
  }

  @Test
  void refusals_are_logged_once_a_minute_and_without_the_secret() {
    SubWorkerPort subWorker = stubs.subWorker(worker.address(), wrong);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> subWorker.dissolve(GANG)).isInstanceOf(HpcCallException.class);
    }
    worker.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThatThrownBy(() -> subWorker.dissolve(GANG)).isInstanceOf(HpcCallException.class);

    assertThat(worker.log)
        .containsExactly(
            "refused a call of 127.0.0.1: unknown gang or wrong secret; 1 so far",
            "refused a call of 127.0.0.1: unknown gang or wrong secret; 4 so far");
    assertThat(subWorker.toString()).doesNotContain(wrong);
    assertThat(worker.secrets.toString()).doesNotContain(secret);
  }

  @Test
  void a_secret_of_another_kind_of_object_is_refused() throws Exception {
    for (Method method : RawCaller.methods()) {
      Object message = new byte[] {1};
      assertThat(raw(method, new Canary(), secret, message)).isEqualTo(Jrmp.REFUSED);
      assertThat(raw(method, GANG, new Canary(), message)).isEqualTo(Jrmp.REFUSED);
      assertThat(raw(method, GANG, null, message)).isEqualTo(Jrmp.REFUSED);
      assertThat(raw(method, GANG, "x".repeat(5000), message)).isEqualTo(Jrmp.REFUSED);
    }

    assertThat(worker.endpoint.rejected()).isEqualTo(4L * RawCaller.methods().size());
    assertThat(Canary.SUNG).hasValue(0);
    assertThat(worker.told).isEmpty();
  }

  private int raw(Method method, @Nullable Object... arguments) throws Exception {
    try (RawCaller caller = new RawCaller(worker.address()).greet()) {
      caller.send(method, arguments);
      return caller.answer();
    }
  }

  @Test
  void nothing_can_be_bound_looked_up_or_listed_at_an_endpoint() throws Exception {
    Registry registry =
        LocateRegistry.getRegistry(worker.address().host(), worker.address().port());

    assertThatThrownBy(() -> registry.rebind("manager", registry))
        .isInstanceOf(RemoteException.class);
    assertThatThrownBy(() -> registry.bind("manager", registry))
        .isInstanceOf(RemoteException.class);
    assertThatThrownBy(() -> registry.unbind("manager")).isInstanceOf(RemoteException.class);
    assertThatThrownBy(() -> registry.lookup("manager")).isInstanceOf(RemoteException.class);
    assertThatThrownBy(registry::list).isInstanceOf(RemoteException.class);

    assertThat(worker.endpoint.rejected()).isEqualTo(5);
    stubs.subWorker(worker.address(), secret).dissolve(GANG);
  }

  @Test
  void other_objects_and_other_protocols_are_refused_and_counted() throws Exception {
    long hash = RawCaller.hash(RawCaller.methods().getFirst());
    List<byte[]> strangers =
        List.of(
            RawCaller.call(new ObjID(ObjID.DGC_ID), -1, hash, GANG, secret),
            RawCaller.call(new ObjID(), -1, hash, GANG, secret),
            RawCaller.call(new ObjID(ObjID.REGISTRY_ID), 3, hash, GANG, secret),
            new byte[] {0x54},
            new byte[] {0x7f, 1, 2});
    for (byte[] stranger : strangers) {
      try (RawCaller caller = new RawCaller(worker.address()).greet()) {
        caller.sendBytes(stranger);
        assertThat(caller.answer()).isEqualTo(Jrmp.REFUSED);
      }
    }
    try (RawCaller http = new RawCaller(worker.address())) {
      http.sendBytes("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(http.answer()).isEqualTo(Jrmp.REFUSED);
    }

    assertThat(worker.endpoint.rejected()).isEqualTo(strangers.size() + 1);
    assertThat(worker.told).isEmpty();
  }

  @Test
  void a_second_call_sent_with_the_first_reaches_nothing() throws Exception {
    Method dissolve =
        RemoteSubWorker.class.getDeclaredMethod("dissolve", String.class, String.class);
    byte[] first = RawCaller.call(new ObjID(0), -1, RawCaller.hash(dissolve), GANG, secret);
    byte[] second = RawCaller.call(new ObjID(0), -1, RawCaller.hash(dissolve), GANG, wrong);
    byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);

    try (RawCaller caller = new RawCaller(worker.address()).greet()) {
      caller.sendBytes(both);
      assertThat(caller.answer()).isEqualTo(1);
    }

    await().until(() -> worker.endpoint.open() == 0);
    assertThat(List.copyOf(worker.told)).containsExactly(GANG, "dissolve");
  }
}
