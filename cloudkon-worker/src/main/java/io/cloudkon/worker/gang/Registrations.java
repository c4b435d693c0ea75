package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Welcome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks managers for ranks, on behalf of the gangs that this worker serves. Thread safe. */
final class Registrations {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final ServedGangs.Managers managers;
  private final Secrets secrets;
  private final UnreachableHere unreachable;
  private final TimeSource time;

  Registrations(
      ServedGangs.Managers managers,
      Secrets secrets,
      UnreachableHere unreachable,
      TimeSource time) {
    this.managers = managers;
    this.secrets = secrets;
    this.unreachable = unreachable;
    this.time = time;
  }

  /**
   * Asks a manager for ranks, and returns the answer; blocks.
   *
   * @param gang the gang; null if it is no longer known here
   */
  SubWorkerEvent made(SubWorkerEffect.Register register, ServedGangs.@Nullable Served gang) {
    if (gang != null) {
      try {
        return asked(register, gang);
      } catch (HpcCallException e) {
        LOG.info("ranks {} are not taken: {}", register.ranks(), e.getMessage());
      } catch (RuntimeException | Error e) {
        // Catches everything, because slots would be kept for an answer that never comes.
        LOG.error("could not request ranks {} of gang {}", register.ranks(), register.gang(), e);
      }
    }
    return new SubWorkerEvent.RegisterFailed(register.gang(), register.ranks());
  }

  /** Asks until there is an answer, or none is to be expected. */
  private SubWorkerEvent asked(SubWorkerEffect.Register register, ServedGangs.Served gang) {
    Registration registration = registration(register, gang);
    for (int tries = 1; ; tries++) {
      Moment begun = time.now(); // from when the manager counts this worker's silence
      try {
        Welcome welcome = gang.manager().register(register.gang(), registration);
        return answered(register, gang, welcome, begun);
      } catch (HpcCallException e) {
        boolean asAnswered = e.kind() == Kind.REFUSED || e.kind() == Kind.INTERRUPTED;
        if (asAnswered || !register.isRepeated(tries, e.kind() == Kind.TIMED_OUT, time.now())) {
          throw e;
        }
      }
    }
  }

  private Registration registration(SubWorkerEffect.Register register, ServedGangs.Served gang) {
    return new Registration(
        managers.worker(),
        managers.here().get(),
        register.ranks().stream().mapToInt(Integer::intValue).toArray(),
        register.ranks().stream()
            .map(rank -> gang.tickets().getOrDefault(rank, ""))
            .toArray(String[]::new),
        secrets.own(register.gang()));
  }

  private SubWorkerEvent answered(
      SubWorkerEffect.Register register, ServedGangs.Served gang, Welcome welcome, Moment begun) {
    if (welcome.unreached()) {
      unreachable.unreached(gang.address(), managers.here().get());
      return new SubWorkerEvent.Unreached(register.gang(), register.ranks());
    }
    if (welcome.accepted().length > 0 && !gang.own()) {
      unreachable.reached();
    }
    return new SubWorkerEvent.Welcomed(
        register.gang(),
        register.ranks(),
        Arrays.stream(welcome.accepted()).boxed().toList(),
        welcome.leaseMillis(),
        begun);
  }
}
