package io.cloudkon.hpc.rmi;

import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Decides which calls one endpoint admits; counts and logs the refused ones. Thread safe. */
final class Gatekeeper {
  private final Secrets secrets;
  private final Refusals refusals;

  /**
   * The peer whose connection a thread serves: the gate reads a call's head on the thread that
   * serves it.
   */
  private static final ThreadLocal<String> SERVES = new ThreadLocal<>();

  private final LongAdder rejected = new LongAdder();

  Gatekeeper(Secrets secrets, Refusals refusals) {
    this.secrets = secrets;
    this.refusals = refusals;
  }

  /** Whether that caller may make any call for that gang. */
  boolean knows(String peer, String gang, Caller caller) {
    SERVES.set(caller.fingerprint());
    boolean known = secrets.known(gang, caller);
    if (!known && secrets.isLate(gang, caller)) {
      refusals.late(peer);
      return false;
    }
    return said(peer, known, "unknown gang or wrong secret");
  }

  /** The caller, with that secret, whose call this thread serves. */
  Caller caller(String secret) {
    return new Caller(secret, String.valueOf(SERVES.get()));
  }

  /** Whether that caller may make this call. */
  boolean admits(Predicate<Secrets> right) {
    return said(peer(), right.test(secrets), "no right to this call");
  }

  /** Checks a state without counting or logging a refusal. */
  boolean has(Predicate<Secrets> state) {
    return state.test(secrets);
  }

  private boolean said(String peer, boolean admitted, String why) {
    if (!admitted) {
      refusals.say(peer, why, secrets.refused());
    }
    return admitted;
  }

  /** Counts and logs a request that no worker of this cluster sends. */
  void reject(String peer, String why) {
    rejected.increment();
    refusals.say(peer, why, rejected());
  }

  /** Like {@link #reject}, for the call that this thread serves. */
  void rejectContent() {
    reject(peer(), "content that is not allowed in a call");
  }

  /** The number of calls of {@link #reject}. */
  long rejected() {
    return rejected.sum();
  }

  /** The peer whose call this thread serves. */
  static String peer() {
    try {
      return RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "this process";
    }
  }
}
