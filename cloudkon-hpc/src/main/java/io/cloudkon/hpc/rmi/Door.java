package io.cloudkon.hpc.rmi;

import java.rmi.AccessException;
import java.rmi.RemoteException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only exported object of an endpoint. The gate in front of RMI admits only known callers; this
 * class checks that a caller has the right to make the particular call. Thread safe.
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
    Caller caller = keeper.caller(secret);
    return through(
        gang,
        registration,
        secrets -> secrets.registers(gang, caller, registration),
        () -> manager.register(gang, registration));
  }

  @Override
  public Standing report(String gang, String secret, Report report) throws RemoteException {
    Caller caller = keeper.caller(secret);
    return through(
        gang,
        report,
        secrets -> secrets.reports(gang, caller, report.worker()),
        () -> manager.report(gang, report));
  }

  @Override
  public boolean ping(String gang, String secret) throws RemoteException {
    return done(gang, secret, gang, () -> subWorker.ping(gang));
  }

  @Override
  public Standing start(String gang, String secret, StartRanks start) throws RemoteException {
    return ordered(gang, secret, start, () -> subWorker.start(gang, start));
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
    Caller caller = keeper.caller(secret);
    // before that, the workers of the ranks are not known, and no rank runs here: to be tried again
    return begun(gang)
        && through(
            gang,
            message,
            secrets -> secrets.delivers(gang, caller, message.from()),
            () -> subWorker.deliver(gang, message));
  }

  private boolean begun(String gang) {
    return keeper.has(secrets -> secrets.begun(gang));
  }

  private boolean done(String gang, String secret, @Nullable Object what, Runnable call)
      throws RemoteException {
    return ordered(
        gang,
        secret,
        what,
        () -> {
          call.run();
          return true;
        });
  }

  private <T> T ordered(String gang, String secret, @Nullable Object what, Supplier<T> call)
      throws RemoteException {
    Caller caller = keeper.caller(secret);
    return through(gang, what, secrets -> secrets.mayOrder(gang, caller), call);
  }

  /**
   * Runs the call under this class's own class loader: the context class loader under which RMI
   * reads a call knows only the classes that a call may contain.
   */
  private <T> T through(
      String gang, @Nullable Object what, Predicate<Secrets> right, Supplier<T> call)
      throws RemoteException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Door.class.getClassLoader());
    try {
      Objects.requireNonNull(what, "a call without its message");
      if (!keeper.admits(right)) {
        throw new AccessException("refused");
      }
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
