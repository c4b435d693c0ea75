package io.cloudkon.core.cli;

/** The exit codes of a process. */
public final class ExitCodes {
  /** Every task succeeded; the command did what was requested. */
  public static final int SUCCESS = 0;

  /** Some task did not succeed; also the code of an internal error. */
  public static final int SOME_FAILED = 1;

  /**
   * Bad usage or bad workload, missing region or credentials, an endpoint that must not be used.
   */
  public static final int USAGE = 2;

  /** A queue or table does not exist, or a service refuses or cannot be reached. */
  public static final int SERVICE = 3;

  /**
   * A worker could start no task for {@code --sick-timeout}, for a reason that is not the tasks':
   * another worker is to replace it.
   */
  public static final int SICK = 10;

  /**
   * A worker shut itself down: its fleet no longer needs it, it has reached its maximum lifetime,
   * or its machine is about to be reclaimed. A service manager must not start it again.
   */
  public static final int ENDED_ITSELF = 11;

  /** Interrupted. */
  public static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
