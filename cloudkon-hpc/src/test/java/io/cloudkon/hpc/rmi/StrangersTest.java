package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Method;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What whoever has no secret may do, and what one who has may not. */
@Timeout(60)
class StrangersTest {
  private static final String GANG = "gang-1";

  /** Of the JVM's garbage collector: what its own stub calls it by. */
  private static final long DGC_HASH = -669196253586618813L;

  private static final int CLEAN = 0;
  private static final int DIRTY = 1;

  private final String secret = Secrets.fresh();
  private final Method dissolve;
  private Worker worker = new Worker();

  StrangersTest() throws NoSuchMethodException {
    dissolve = RemoteSubWorker.class.getDeclaredMethod("dissolve", String.class, String.class);
    worker.admit(GANG, secret);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  private void restart(int strangers, int millis) {
    worker.close();
    worker = new Worker(0, RmiSettings.defaults().withStrangers(strangers, millis));
    worker.admit(GANG, secret);
  }

  private byte[] call() throws Exception {
    return RawCaller.call(new ObjID(ObjID.REGISTRY_ID), -1, RawCaller.hash(dissolve), GANG, secret);
  }

  private RawCaller caller() throws Exception {
    return new RawCaller(worker.address()).greet();
  }

  @Test
  void a_holder_of_a_secret_reaches_no_object_of_the_jvm() throws Exception {
    ObjID[] objects = {new ObjID(17)};
    Lease lease = new Lease(new VMID(), 600_000);
    byte[] large = new byte[100_000];
    Method deliver =
        RemoteSubWorker.class.getDeclaredMethod(
            "deliver", String.class, String.class, RankMessage.class);
    byte[] message =
        RawCaller.call(
            new ObjID(ObjID.REGISTRY_ID),
            -1,
            RawCaller.hash(deliver),
            GANG,
            Secrets.pass(secret, 0),
            new RankMessage("run/7", 1, 0, 1, large));
    for (byte[] first : new byte[][] {call(), message}) {
      for (byte[] second :
          new byte[][] {
            RawCaller.call(new ObjID(ObjID.DGC_ID), DIRTY, DGC_HASH, objects, 1L, lease),
            RawCaller.call(new ObjID(ObjID.DGC_ID), CLEAN, DGC_HASH, objects, 1L, new VMID(), false)
          }) {
        try (RawCaller caller = caller()) {
          caller.sendBytes(both(first, second));
          assertThat(caller.value()).as("the first call").isEqualTo(1);
          assertThat(caller.answer()).as("the second call").isEqualTo(Jrmp.REFUSED);
        }
      }
    }
    assertThat(worker.endpoint.rejected()).isEqualTo(4);
  }

  private static byte[] both(byte[] first, byte[] second) {
    byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void a_second_call_that_comes_with_the_first_has_its_secret_looked_at() throws Exception {
    byte[] wrong =
        RawCaller.call(
            new ObjID(ObjID.REGISTRY_ID), -1, RawCaller.hash(dissolve), GANG, Secrets.fresh());
    try (RawCaller caller = caller()) {
      caller.sendBytes(both(both(call(), call()), wrong));
      assertThat(caller.value()).isEqualTo(1);
      assertThat(caller.value()).isEqualTo(1);
      assertThat(caller.answer()).isEqualTo(Jrmp.REFUSED);
    }
    assertThat(worker.secrets.refused()).isEqualTo(1);
  }

  @Test
  void caller_that_comes_late_has_as_long_as_one_that_comes_at_once() throws Exception {
    restart(128, 2_000);
    try (RawCaller first = caller()) {
      first.sendBytes(call());
      assertThat(first.value()).isEqualTo(1);
    }
    // the endpoint waits for the next connection all that time
    await().pollDelay(Duration.ofMillis(2_200)).until(() -> true);
    try (RawCaller late = caller()) {
      late.sendBytes(call());
      assertThat(late.value()).isEqualTo(1);
    }
    assertThat(worker.endpoint.rejected()).isZero();
  }

  @Test
  void nobody_pings_before_a_call_and_nobody_without_end_after_it() throws Exception {
    try (RawCaller stranger = caller()) {
      stranger.sendBytes(new byte[] {Jrmp.PING});
      assertThat(stranger.answer()).isEqualTo(Jrmp.REFUSED);
    }
    try (RawCaller known = caller()) {
      for (int round = 0; round < 3; round++) {
        known.sendBytes(call());
        assertThat(known.value()).isEqualTo(1);
        for (int i = 0; i < 8; i++) {
          known.sendBytes(new byte[] {Jrmp.PING});
          assertThat(known.answer()).isEqualTo(Jrmp.PING_ACK);
        }
      }
      known.sendBytes(new byte[] {Jrmp.PING});
      assertThat(known.answer()).isEqualTo(Jrmp.REFUSED);
    }
    assertThat(worker.endpoint.rejected()).isEqualTo(2);
  }

  @Test
  void a_connection_without_a_call_is_closed_in_time_and_others_stand() throws Exception {
    restart(128, 300);
    try (RawCaller known = caller();
        RawCaller silent = new RawCaller(worker.address());
        RawCaller greeted = caller()) {
      known.sendBytes(call());
      assertThat(known.value()).isEqualTo(1);
      silent.awaitEnd();
      greeted.awaitEnd();
      known.sendBytes(call());
      assertThat(known.value()).isEqualTo(1);
    }
    assertThat(worker.endpoint.rejected()).isEqualTo(2);
    assertThat(worker.log).first().asString().contains("no call in time");
  }

  @Test
  void one_peer_has_few_connections_without_a_call() throws Exception {
    restart(2, 20_000);
    try (RawCaller first = caller();
        RawCaller second = caller()) {
      try (RawCaller third = new RawCaller(worker.address())) {
        third.awaitEnd();
      }
      assertThat(worker.endpoint.rejected()).isEqualTo(1);
      first.sendBytes(call());
      assertThat(first.value()).isEqualTo(1);
      try (RawCaller fourth = caller()) {
        fourth.sendBytes(call());
        assertThat(fourth.value()).isEqualTo(1);
      }
    }
  }

  @Test
  void strangers_are_counted_by_peer() {
    Strangers strangers = new Strangers(2);
    assertThat(strangers.enter("a")).isTrue();
    assertThat(strangers.enter("a")).isTrue();
    assertThat(strangers.enter("a")).isFalse();
    assertThat(strangers.enter("b")).isTrue();
    strangers.leave("a");
    assertThat(strangers.enter("a")).isTrue();
    assertThat(strangers.enter("a")).isFalse();
  }
}
