package io.cloudkon.worker.gang;

import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A worker that is only called back: each call fails as planned, the others are answered. */
final class PingedWorker implements SubWorkerPort {
  final Deque<HpcCallException.Kind> failures = new ArrayDeque<>();
  int pings;

  void fails(HpcCallException.Kind... kinds) {
    failures.addAll(List.of(kinds));
  }

  @Override
  public void ping(String gang) {
    pings++;
    HpcCallException.Kind kind = failures.poll();
    if (kind != null) {
      throw new HpcCallException(kind, "planted", null);
    }
  }

  @Override
  public Standing start(String gang, StartRanks start) {
    throw new AssertionError("it is only called back");
  }

  @Override
  public void kill(String gang, KillRanks kill) {
    throw new AssertionError("it is only called back");
  }

  @Override
  public void dissolve(String gang) {
    throw new AssertionError("it is only called back");
  }

  @Override
  public boolean deliver(String gang, RankMessage message) {
    throw new AssertionError("it is only called back");
  }
}
