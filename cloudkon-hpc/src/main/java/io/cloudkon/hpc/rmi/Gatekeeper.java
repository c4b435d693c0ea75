package io.cloudkon.hpc.rmi;

import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Decides about one endpoint's calls, counts what it refuses, and says so. Thread safe. */
final class Gatekeeper {
  private final Secrets secrets;
  private final Refusals refusals;

  /**
   * Whose connection a thread serves: the gate reads a call's head on the thread that serves it.
   */
  private static final ThreadLocal<String> SERVES = new ThreadLocal<>();

  private final LongAdder rejected = new LongAdder();

  Gatekeeper(Secrets secrets, Refusals refusals) {
    this.secrets = secrets;
    this.refusals = refusals;
  }

  /** Whether a call for that gang may come from that caller at all. */
  boolean knows(String peer, String gang, Caller caller) {
    SERVES.set(caller.fingerprint());
    return said(peer, secrets.known(gang, caller), "unknown gang or wrong secret");
  }

  /** Who makes the call that this thread serves, with that secret. */
  Caller caller(String secret) {
    return new Caller(secret, String.valueOf(SERVES.get()));
  }

  /** Whether this call may come from that caller. */
  boolean admits(Predicate<Secrets> right) {
    return said(peer(), right.test(secrets), "no right to this call");
  }

  /** Says nothing. */
  boolean has(Predicate<Secrets> state) {
    return state.test(secrets);
  }

  private boolean said(String peer, boolean admitted, String why) {
    if (!admitted) {
      refusals.say(peer, why, secrets.refused());
    }
    return admitted;
  }

  /** Something came that no worker of this cluster sends. */
  void reject(String peer, String why) {
    rejected.increment();
    refusals.say(peer, why, rejected());
  }

  /** As {@link #reject}, within a call. */
  void rejectContent() {
    reject(peer(), "content that is not allowed in a call");
  }

  /** How often {@link #reject} was told. */
  long rejected() {
    return rejected.sum();
  }

  /** Whose call this thread serves. */
  static String peer() {
    try {
      return RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "this process";
    }
  }
}
