package io.cloudkon.hpc.rmi;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** An endpoint on loopback with both sides behind it; remembers what it was told. */
final class Worker implements AutoCloseable, ManagerPort, SubWorkerPort {
  final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
  final List<String> log = new CopyOnWriteArrayList<>();
  final List<String> calm = new CopyOnWriteArrayList<>();
  final Secrets secrets = new Secrets();
  final AtomicLong nanos = new AtomicLong();
  final Endpoint endpoint;

  /** Made before each answer. */
  volatile Runnable before = () -> {};

  Worker() {
    this(0, RmiSettings.defaults());
  }

  Worker(int port, RmiSettings settings) {
    this(port, settings, Identity.none());
  }

  Worker(int port, RmiSettings settings, Identity identity) {
    endpoint =
        Endpoint.open(
            "127.0.0.1",
            port,
            this,
            this,
            secrets,
            identity,
            settings,
            new Refusals(log::add, calm::add, nanos::get));
  }

  Address address() {
    return endpoint.address();
  }

  /** Lets all calls but registrations be made with that secret, or what is derived of it. */
  void admit(String gang, String secret) {
    admit(gang, secret, "");
  }

  /** As above, by whoever has that certificate. */
  void admit(String gang, String secret, String fingerprint) {
    Address there = Messages.HERE.of(fingerprint);
    secrets.manage(gang, Messages.GANGS_SECRET);
    secrets.join(gang, "w1", secret, fingerprint);
    secrets.serve(gang, secret, fingerprint);
    secrets.peers(gang, new Address[] {there, new Address("fe80::1", 1), there});
  }

  void forget(String gang) {
    secrets.dismiss(gang);
    secrets.leave(gang);
  }

  private void tell(String gang, Object what) {
    told.add(gang);
    told.add(what);
    before.run();
  }

  @Override
  public Welcome register(String gang, Registration registration) {
    tell(gang, registration);
    return new Welcome(registration.ranks(), 7000);
  }

  @Override
  public Standing report(String gang, Report report) {
    tell(gang, report);
    return new Standing(true, 6000);
  }

  @Override
  public void ping(String gang) {
    tell(gang, "ping");
  }

  @Override
  public Standing start(String gang, StartRanks start) {
    tell(gang, start);
    return Standing.GONE;
  }

  @Override
  public void kill(String gang, KillRanks kill) {
    tell(gang, kill);
  }

  @Override
  public void dissolve(String gang) {
    tell(gang, "dissolve");
  }

  @Override
  public boolean deliver(String gang, RankMessage message) {
    tell(gang, message);
    return true;
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
