package io.cloudkon.core.port;

import java.util.List;
import java.util.Map;

/**
 * Launches workers somewhere: as processes of this machine, or as EC2 instances. Thread safe.
 *
 * <p>A launch happens once for each token, however often it is asked for: the same call gives the
 * same answer, with the workers of the first one. So a caller that does not know whether its call
 * came through makes it again.
 */
public interface InstanceLauncher {

  /** Its name on the command line: {@code process} or {@code ec2}. */
  String name();

  /**
   * What a launch will need besides its token and count. It goes into the decision, so that a later
   * process makes the very same call.
   *
   * @throws TransientServiceException if that cannot be told just now; nothing is decided then
   */
  Map<String, String> request();

  /**
   * Launches up to {@code count} workers; returns without waiting until they run.
   *
   * @param token names the launch; at most 64 ASCII characters
   * @param count how many; 1 or more
   * @param request as {@link #request} gave it when it was decided
   * @return what was granted, and why not more
   * @throws TransientServiceException if nobody knows whether it happened: to be called again under
   *     the same token
   */
  Launch launch(String token, int count, Map<String, String> request);

  /**
   * Whether a launch with this request is this launcher's to make: worker processes are launched
   * and listed on one machine only.
   *
   * @param request as {@link #request} gave it, here or elsewhere
   */
  default boolean serves(Map<String, String> request) {
    return true;
  }

  /**
   * Sees to it that nothing is launched under a token, by whoever may still call.
   *
   * @return false if something was launched under it, or this cannot be made sure
   */
  default boolean withdraw(String token) {
    return false;
  }

  /**
   * The instances of this cluster that exist, those that ended lately among them. One that was just
   * launched may be missing.
   */
  List<LaunchedInstance> instances();

  /** All that is known of why an instance ended, for people; empty if nothing is. */
  default String explanation(String instance) {
    return "";
  }

  /** Ends these instances at once; those that are gone, or unknown, are no failure. */
  void terminate(List<String> instances);

  /**
   * What came of a launch.
   *
   * @param instances what was granted
   * @param failures why there are fewer than were asked for
   * @param elsewhere whether the rest may be asked for at once, of others than those that refused:
   *     {@link #request} names them now
   */
  record Launch(List<LaunchedInstance> instances, List<Failure> failures, boolean elsewhere) {
    /** A launch in the only place there is. */
    public Launch(List<LaunchedInstance> instances, List<Failure> failures) {
      this(instances, failures, false);
    }

    public Launch {
      instances = List.copyOf(instances);
      failures = List.copyOf(failures);
    }
  }

  /**
   * Why instances were not granted.
   *
   * @param kind what to do about it
   * @param code one word for it: the service's error code
   * @param message what the service said, in one line
   */
  record Failure(Kind kind, String code, String message) {

    /** Kinds of failures. */
    public enum Kind {
      /** No room there now: another pool, or later. */
      CAPACITY,
      /** The account's limit is reached: somebody must raise it. */
      QUOTA,
      /** Too many calls: later. */
      THROTTLE,
      /** It can never work as it is configured. */
      CONFIGURATION
    }
  }
}
