package io.cloudkon.hpc.rmi;

import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.concurrent.atomic.LongAdder;

/** Decides about one endpoint's calls, counts what it refuses, and says so. Thread safe. */
final class Gatekeeper {
  private final Secrets secrets;
  private final Refusals refusals;
  private final LongAdder rejected = new LongAdder();

  Gatekeeper(Secrets secrets, Refusals refusals) {
    this.secrets = secrets;
    this.refusals = refusals;
  }

  /** Whether a call for that gang with that secret goes on. */
  boolean admits(String peer, String gang, String secret) {
    boolean admitted = secrets.admits(gang, secret);
    if (!admitted) {
      refusals.say(peer, "unknown gang or wrong secret", secrets.refused());
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
