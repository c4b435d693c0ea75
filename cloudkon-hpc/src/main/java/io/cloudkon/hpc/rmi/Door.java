package io.cloudkon.hpc.rmi;

import java.rmi.AccessException;
import java.rmi.RemoteException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one exported object of an endpoint. Looks at the secret once more before it hands a call on:
 * the gate is in front of RMI, this is behind it. Thread safe.
 */
final class Door implements RemoteManager, RemoteSubWorker {
  private static final Logger LOG = LoggerFactory.getLogger(Door.class);

  private final ManagerPort manager;
  private final SubWorkerPort subWorker;
  private final Gatekeeper keeper;

  Door(ManagerPort manager, SubWorkerPort subWorker, Gatekeeper keeper) {
    this.manager = manager;
    this.subWorker = subWorker;
    this.keeper = keeper;
  }

  @Override
  public Welcome register(String gang, String secret, Registration registration)
      throws RemoteException {
    return through(gang, secret, registration, () -> manager.register(gang, registration));
  }

  @Override
  public Standing report(String gang, String secret, Report report) throws RemoteException {
    return through(gang, secret, report, () -> manager.report(gang, report));
  }

  @Override
  public Standing start(String gang, String secret, StartRanks start) throws RemoteException {
    return through(gang, secret, start, () -> subWorker.start(gang, start));
  }

  @Override
  public boolean kill(String gang, String secret, KillRanks kill) throws RemoteException {
    return done(gang, secret, kill, () -> subWorker.kill(gang, kill));
  }

  @Override
  public boolean dissolve(String gang, String secret) throws RemoteException {
    return done(gang, secret, gang, () -> subWorker.dissolve(gang));
  }

  @Override
  public boolean deliver(String gang, String secret, RankMessage message) throws RemoteException {
    return through(gang, secret, message, () -> subWorker.deliver(gang, message));
  }

  private boolean done(String gang, String secret, @Nullable Object what, Runnable call)
      throws RemoteException {
    return through(
        gang,
        secret,
        what,
        () -> {
          call.run();
          return true;
        });
  }

  /**
   * Under the context loader that this class has itself: the one under which RMI reads a call knows
   * nothing but what may be in it.
   */
  private <T> T through(String gang, String secret, @Nullable Object what, Supplier<T> call)
      throws RemoteException {
    if (!keeper.admits(Gatekeeper.peer(), gang, secret)) {
      throw new AccessException("refused");
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Door.class.getClassLoader());
    try {
      Objects.requireNonNull(what, "a call without its message");
      return call.get();
    } catch (HpcCallException e) {
      LOG.info("gang {}: a call from {}: {}", gang, Gatekeeper.peer(), e.getMessage());
      throw new RemoteException("failed");
    } catch (RuntimeException | Error e) {
      LOG.warn("gang {}: a call from {} failed here", gang, Gatekeeper.peer(), e);
      throw new RemoteException("failed");
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
