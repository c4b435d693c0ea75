package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.ReachedWorkers;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manager's calls back to workers that register. A worker that can call but cannot be called
 * could never be told to start its ranks, and each job that it joined would lose an attempt. Thread
 * safe.
 */
final class CallBacks {
  private static final Logger LOG = LoggerFactory.getLogger(CallBacks.class);

  private final String worker;
  private final BiFunction<Address, String, SubWorkerPort> subWorkers;
  private final LongSupplier nanos;
  private final ReachedWorkers<Address> reached = new ReachedWorkers<>();

  /**
   * Starts without calls.
   *
   * @param worker this worker's id; it is not called, because it is its own sub-worker
   * @param subWorkers the other workers, by address and secret
   * @param nanos a monotonic clock
   */
  CallBacks(
      String worker, BiFunction<Address, String, SubWorkerPort> subWorkers, LongSupplier nanos) {
    this.worker = worker;
    this.subWorkers = subWorkers;
    this.nanos = nanos;
  }

  /**
   * Whether this worker can call the one that registers, at the address that it advertises and with
   * the secret and certificate with which it will be told to start ranks. Blocks for a call, unless
   * it was called a moment ago. An answer that the call failed there is an answer.
   */
  boolean reaches(String gang, Registration registration) {
    Address address = registration.address();
    if (registration.worker().equals(worker) || knows(address)) {
      return true;
    }
    long begun = millis();
    try {
      ping(subWorkers.apply(address, registration.secret()), gang);
      reached(address, begun);
      return true;
    } catch (HpcCallException e) {
      if (e.kind() == Kind.FAILED) {
        // it answered, as a worker of a former version does, which knows no such call
        return true;
      }
      LOG.info("{} is not accepted: it cannot be called back: {}", registration, e.getMessage());
      return false;
    }
  }

  /** Repeats the call once if a connection failed, which may have been an old one. */
  private static void ping(SubWorkerPort port, String gang) {
    try {
      port.ping(gang);
    } catch (HpcCallException e) {
      if (e.kind() != Kind.UNREACHABLE) {
        throw e;
      }
      port.ping(gang);
    }
  }

  /** Records that an order to this address failed: its worker is called back the next time. */
  synchronized void failed(Address address) {
    reached.forget(address);
  }

  private synchronized boolean knows(Address address) {
    return reached.knows(address, millis());
  }

  private synchronized void reached(Address address, long at) {
    reached.reached(address, at);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
  }
}
