package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that know each other by fingerprints. */
@Timeout(60)
class TlsTest {
  private static final String GANG = "gang-1";
  private static final RmiSettings PATIENT = RmiSettings.defaults().withTimeouts(20_000, 20_000);

  private final String secret = Secrets.fresh();
  private final Identity callers = Identity.fresh();
  private final Identity called = Identity.fresh();
  private final Worker worker = new Worker(0, RmiSettings.defaults(), called);
  private final Stubs stubs = new Stubs(PATIENT, callers);

  TlsTest() {
    worker.admit(GANG, secret, callers.fingerprint());
  }

  @AfterEach
  void close() {
    stubs.close();
    worker.close();
  }

  @Test
  void certificate_is_one_that_others_read_and_signed_by_its_own_key() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    for (int i = 0; i < 50; i++) {
      KeyPair keys = generator.generateKeyPair();
      X509Certificate certificate = SelfSigned.of(keys);
      certificate.verify(keys.getPublic());
      certificate.checkValidity();
      assertThat(certificate.getPublicKey()).isEqualTo(keys.getPublic());
      assertThat(certificate.getVersion()).isEqualTo(3);
      assertThat(certificate.getSerialNumber().bitLength()).isEqualTo(127);
      assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=cloudkon");
      assertThat(certificate.getIssuerX500Principal())
          .isEqualTo(certificate.getSubjectX500Principal());
      assertThat(Identity.fingerprint(certificate)).matches("[A-Za-z0-9_-]{43}");
    }
  }

  @Test
  void identity_without_tls_has_no_fingerprint_and_each_other_its_own() {
    assertThat(Identity.none().fingerprint()).isEmpty();
    assertThat(callers.fingerprint())
        .isEqualTo(callers.fingerprint())
        .isNotEqualTo(called.fingerprint());
    assertThat(worker.address().fingerprint()).isEqualTo(called.fingerprint());
  }

  @Test
  void every_call_goes_through_on_few_connections() {
    ManagerPort manager = stubs.manager(worker.address(), secret);
    SubWorkerPort subWorker = stubs.subWorker(worker.address(), secret);
    SubWorkerPort rank = stubs.subWorker(worker.address(), Secrets.pass(secret, 0));
    byte[] large = new byte[20 * 1024 * 1024];
    for (int i = 0; i < 20; i++) {
      assertThat(manager.report(GANG, Messages.REPORT).known()).isTrue();
      subWorker.kill(GANG, Messages.KILL);
    }
    assertThat(rank.deliver(GANG, new RankMessage("run/7", 1, 2, 1, large))).isTrue();
    assertThat(worker.endpoint.connections()).isEqualTo(1);
    assertThat(worker.endpoint.rejected()).isZero();
    assertThat(worker.secrets.refused()).isZero();
  }

  @Test
  void registration_binds_the_certificate_that_it_came_with() {
    String own = Secrets.fresh();
    Registration mine =
        new Registration(
            "w2",
            Messages.HERE.of(callers.fingerprint()),
            new int[] {1},
            new String[] {Secrets.ticket(Messages.GANGS_SECRET, 1)},
            own);
    assertThat(stubs.manager(worker.address(), own).register(GANG, mine).accepted()).hasSize(1);
    Report report = new Report("w2", new RankEnd[0], false);
    assertThat(stubs.manager(worker.address(), own).report(GANG, report).known()).isTrue();
    try (Stubs thief = new Stubs(PATIENT, Identity.fresh())) {
      fails(Kind.REFUSED, () -> thief.manager(worker.address(), own).report(GANG, report));
      fails(Kind.FAILED, () -> thief.manager(worker.address(), own).register(GANG, mine));
    }
  }

  @Test
  void right_secret_of_another_certificate_is_refused() {
    try (Stubs thief = new Stubs(PATIENT, Identity.fresh())) {
      fails(Kind.REFUSED, () -> thief.subWorker(worker.address(), secret).dissolve(GANG));
      fails(
          Kind.REFUSED,
          () -> thief.manager(worker.address(), secret).report(GANG, Messages.REPORT));
      fails(
          Kind.FAILED,
          () ->
              thief
                  .subWorker(worker.address(), Secrets.pass(secret, 0))
                  .deliver(GANG, Messages.MESSAGE));
    }
    assertThat(worker.told).isEmpty();
    stubs.subWorker(worker.address(), secret).dissolve(GANG);
  }

  @Test
  void worker_that_is_another_than_was_told_of_hears_nothing() {
    Address wrong = worker.address().of(Identity.fresh().fingerprint());
    fails(Kind.UNREACHABLE, () -> stubs.subWorker(wrong, secret).dissolve(GANG))
        .hasMessageContaining("not that of the expected worker");
    fails(Kind.UNREACHABLE, () -> stubs.subWorker(worker.address().of(""), secret).dissolve(GANG));
    assertThat(worker.told).isEmpty();
    assertThat(worker.secrets.refused()).isZero();
  }

  @Test
  void one_side_without_tls_is_told_at_once() {
    try (Stubs plain = new Stubs(PATIENT, Identity.none())) {
      fails(Kind.UNREACHABLE, () -> plain.subWorker(worker.address(), secret).dissolve(GANG));
      await().until(() -> worker.endpoint.rejected() == 1 && !worker.log.isEmpty());
      assertThat(List.copyOf(worker.log))
          .anySatisfy(line -> assertThat(line).contains("TLS handshake failed"));
      try (Worker open = new Worker()) {
        open.admit(GANG, secret);
        fails(
            Kind.UNREACHABLE,
            () -> stubs.subWorker(open.address().of(called.fingerprint()), secret).dissolve(GANG));
      }
    }
    assertThat(worker.told).isEmpty();
  }

  @Test
  void later_connection_resumes_the_session_and_is_known_by_the_same_certificate()
      throws Exception {
    java.util.concurrent.CountDownLatch together = new java.util.concurrent.CountDownLatch(2);
    SubWorkerPort subWorker = stubs.subWorker(worker.address(), secret);
    subWorker.dissolve(GANG);
    worker.before =
        () -> {
          together.countDown();
          try {
            together.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    Thread other = Thread.ofVirtual().start(() -> subWorker.dissolve(GANG));
    subWorker.dissolve(GANG);
    other.join();
    assertThat(worker.endpoint.connections()).isEqualTo(2);
    assertThat(worker.secrets.refused()).isZero();
    assertThat(worker.told).hasSize(6);
  }

  @Test
  void handshake_that_does_not_come_to_its_end_is_cut_off_in_time() throws Exception {
    try (Worker hasty =
            new Worker(0, RmiSettings.defaults().withStrangers(128, 300), Identity.fresh());
        RawCaller silent = new RawCaller(hasty.address());
        RawCaller begun = new RawCaller(hasty.address())) {
      begun.sendBytes(Arrays.copyOf(new byte[] {0x16, 3, 1, 1, 0, 1, 0, 0, (byte) 0xfc}, 9));
      silent.awaitEnd();
      begun.awaitEnd();
      await().until(() -> hasty.endpoint.rejected() == 2);
    }
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> fails(
      Kind kind, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HpcCallException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }
}
