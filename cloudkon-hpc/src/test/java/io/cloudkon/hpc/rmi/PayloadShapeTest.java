package io.cloudkon.hpc.rmi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.rmi.server.ObjID;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody who knows a gang's secret, and sends what is no message. */
class PayloadShapeTest {
  private static final String GANG = "gang-1";
  private static final int EXCEPTION = 2;

  private final String secret = Secrets.fresh();
  private final Worker worker = new Worker();

  @BeforeEach
  void admit() {
    worker.admit(GANG, secret);
    Canary.SUNG.set(0);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  @Test
  void no_known_shape_is_read_by_any_method() throws Exception {
    try (ServerSocket listener = new ServerSocket(0)) {
      Map<String, Object> shapes = Shapes.all(listener.getLocalPort());
      Canary.SUNG.set(0);
      for (Method method : withMessage()) {
        for (Map.Entry<String, Object> shape : shapes.entrySet()) {
          long before = worker.endpoint.rejected();
          int answer = answer(method, GANG, secret, shape.getValue());

          assertThat(answer).as("%s(%s)", method.getName(), shape.getKey()).isEqualTo(EXCEPTION);
          assertThat(worker.endpoint.rejected())
              .as("%s(%s)", method.getName(), shape.getKey())
              .isEqualTo(before + 1);
        }
      }
      assertThat(isCalled(listener)).isFalse();
    }
    assertThat(Canary.SUNG).hasValue(0);
    assertThat(worker.told).isEmpty();
    assertThat(worker.log)
        .containsExactly(
            "refused a call of 127.0.0.1: content that is not allowed in a call; 1 so far");
    assertThat(worker.secrets.refused()).isZero();
  }

  @Test
  void no_shape_is_read_without_the_secret() throws Exception {
    Map<String, Object> shapes = Shapes.all(1);
    Canary.SUNG.set(0);
    for (Method method : RawCaller.methods()) {
      for (Object shape : shapes.values()) {
        assertThat(answer(method, GANG, Secrets.fresh(), shape)).isEqualTo(Jrmp.REFUSED);
      }
    }

    assertThat(worker.secrets.refused())
        .isEqualTo((long) RawCaller.methods().size() * shapes.size());
    assertThat(worker.endpoint.rejected()).isZero();
    assertThat(Canary.SUNG).hasValue(0);
  }

  @Test
  void an_array_that_claims_to_be_huge_is_not_made() throws Exception {
    for (Object array :
        new Object[] {new byte[3], new long[3], new String[3], new RankEnd[3], new int[3]}) {
      for (Method method : withMessage()) {
        byte[] call = RawCaller.call(new ObjID(0), -1, RawCaller.hash(method), GANG, secret, array);
        claim(call, array);
        long before = worker.endpoint.rejected();
        try (RawCaller caller = new RawCaller(worker.address()).greet()) {
          caller.sendBytes(call);
          assertThat(caller.answer()).isEqualTo(EXCEPTION);
        }
        assertThat(worker.endpoint.rejected()).isEqualTo(before + 1);
      }
    }
  }

  /** The length stands before the elements, which end the call: 3 of them, all 0 or null. */
  private static void claim(byte[] call, Object array) {
    int elementBytes =
        switch (array) {
          case byte[] bytes -> 1;
          case int[] ints -> 4;
          case long[] longs -> 8;
          default -> 1;
        };
    int at = call.length - 3 * elementBytes - 4;
    assertThat(call[at + 3]).isEqualTo((byte) 3);
    call[at] = 0x7f;
    call[at + 1] = -1;
    call[at + 2] = -1;
    call[at + 3] = -1;
  }

  @Test
  void an_object_in_the_place_of_a_codebase_is_not_read() throws Exception {
    for (Method method : withMessage()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(Jrmp.CALL);
      try (ObjectOutputStream out = new Smuggling(bytes)) {
        new ObjID(0).write(out);
        out.writeInt(-1);
        out.writeLong(RawCaller.hash(method));
        out.writeObject(GANG);
        out.writeObject(secret);
        out.writeObject(Messages.KILL);
      }
      long before = worker.endpoint.rejected();
      try (RawCaller caller = new RawCaller(worker.address()).greet()) {
        caller.sendBytes(bytes.toByteArray());
        assertThat(caller.answer()).isEqualTo(EXCEPTION);
      }
      assertThat(worker.endpoint.rejected()).isEqualTo(before + 1);
    }
    assertThat(Canary.SUNG).hasValue(0);
  }

  @Test
  void a_class_is_rejected_by_its_name_before_it_is_looked_for() throws Exception {
    for (Method method : withMessage()) {
      byte[] call =
          RawCaller.call(new ObjID(0), -1, RawCaller.hash(method), GANG, secret, new Canary());
      String absent = new String(call, ISO_8859_1).replace("rmi.Canary", "rmi.Absent");
      long before = worker.endpoint.rejected();
      try (RawCaller caller = new RawCaller(worker.address()).greet()) {
        caller.sendBytes(absent.getBytes(ISO_8859_1));
        assertThat(caller.answer()).isEqualTo(EXCEPTION);
      }
      assertThat(worker.endpoint.rejected()).isEqualTo(before + 1);
    }
  }

  @Test
  void a_message_of_another_method_or_none_is_refused() throws Exception {
    for (Method method : withMessage()) {
      Object other = method.getName().equals("kill") ? Messages.MESSAGE : Messages.KILL;
      assertThat(answer(method, GANG, secret, other)).isEqualTo(EXCEPTION);
      assertThat(answer(method, GANG, secret, null)).isEqualTo(EXCEPTION);
    }
    assertThat(worker.told).isEmpty();
  }

  @Test
  void a_call_that_is_legal_goes_through_after_all_of_this() throws Exception {
    for (Method method : withMessage()) {
      assertThat(answer(method, GANG, secret, new HashMap<>())).isEqualTo(EXCEPTION);
    }

    try (Stubs stubs = new Stubs(Identity.none())) {
      stubs.subWorker(worker.address(), secret).kill(GANG, Messages.KILL);
    }
    assertThat(worker.told).hasSize(2);
  }

  private static Iterable<Method> withMessage() {
    return RawCaller.methods().stream().filter(m -> m.getParameterCount() == 3).toList();
  }

  private int answer(Method method, @Nullable Object... arguments) throws Exception {
    try (RawCaller caller = new RawCaller(worker.address()).greet()) {
      caller.send(method, arguments);
      return caller.answer();
    }
  }

  private static boolean isCalled(ServerSocket listener) throws IOException {
    listener.setSoTimeout(1);
    try {
      listener.accept().close();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  /** Says of the message's class that it is to be loaded from a canary. */
  private static final class Smuggling extends RawCaller.Marshalling {
    Smuggling(ByteArrayOutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(type == KillRanks.class ? new Canary() : null);
    }
  }
}
