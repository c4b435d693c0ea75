package io.cloudkon.core.port;

import java.util.List;
import java.util.Map;

/**
 * Launches workers, as processes on this machine or as EC2 instances. Thread safe.
 *
 * <p>A launch happens once per token, however often it is requested: the same call returns the same
 * answer, with the workers of the first call. So a caller that does not know whether its call
 * succeeded repeats it.
 */
public interface InstanceLauncher {

  /** Its name on the command line: {@code process} or {@code ec2}. */
  String name();

  /**
   * The parameters of a launch in addition to token and count. They are stored in the decision, so
   * that a later process can make exactly the same call.
   *
   * @throws TransientServiceException if they are not available now; nothing is decided then
   */
  Map<String, String> request();

  /**
   * Launches up to {@code count} workers; returns without waiting until they run.
   *
   * @param token the token of the launch; at most 64 ASCII characters
   * @param count the number of workers; 1 or more
   * @param request the result of {@link #request} at the time of the decision
   * @return the granted instances, and the reasons if there are fewer
   * @throws TransientServiceException if it is unknown whether the launch happened: to be called
   *     again with the same token
   */
  Launch launch(String token, int count, Map<String, String> request);

  /**
   * Whether this launcher can make a launch with this request: worker processes are launched and
   * listed on one machine only.
   *
   * @param request the result of {@link #request}, here or on another machine
   */
  default boolean serves(Map<String, String> request) {
    return true;
  }

  /**
   * Ensures that nothing will be launched with a token, by any caller.
   *
   * @return false if something was launched with it, or this cannot be ensured
   */
  default boolean withdraw(String token) {
    return false;
  }

  /**
   * The instances of this cluster that exist or ended recently. One that was just launched may be
   * missing.
   */
  List<LaunchedInstance> instances();

  /** The known reason why an instance ended, for display; empty if it is unknown. */
  default String explanation(String instance) {
    return "";
  }

  /** Ends these instances at once; instances that do not exist or are unknown are not a failure. */
  void terminate(List<String> instances);

  /**
   * The outcome of a launch.
   *
   * @param instances the granted instances
   * @param failures the reasons why there are fewer than requested
   * @param elsewhere whether the rest may be requested at once from other pools than those that
   *     refused; {@link #request} now names them
   */
  record Launch(List<LaunchedInstance> instances, List<Failure> failures, boolean elsewhere) {
    /** A launch by a launcher with a single pool. */
    public Launch(List<LaunchedInstance> instances, List<Failure> failures) {
      this(instances, failures, false);
    }

    public Launch {
      instances = List.copyOf(instances);
      failures = List.copyOf(failures);
    }
  }

  /**
   * The reason why instances were not granted.
   *
   * @param kind the kind of failure, which determines the reaction
   * @param code the service's error code
   * @param message the service's message, in one line
   */
  record Failure(Kind kind, String code, String message) {

    /** Kinds of failures. */
    public enum Kind {
      /** No capacity there now: try another pool, or later. */
      CAPACITY,
      /** The account's quota is reached and must be raised. */
      QUOTA,
      /** Too many calls: try later. */
      THROTTLE,
      /** The launch can never work with this configuration. */
      CONFIGURATION
    }
  }
}
