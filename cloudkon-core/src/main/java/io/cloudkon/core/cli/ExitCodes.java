package io.cloudkon.core.cli;

/** The exit codes of a process. */
public final class ExitCodes {
  /** Every task succeeded; the command did what it was asked. */
  public static final int SUCCESS = 0;

  /** Some task did not succeed; also what an internal error ends with. */
  public static final int SOME_FAILED = 1;

  /**
   * Bad usage or bad workload, missing region or credentials, an endpoint that must not be used.
   */
  public static final int USAGE = 2;

  /** A queue or table that does not exist, a service that refuses or cannot be reached. */
  public static final int SERVICE = 3;

  /**
   * A worker could start no task for {@code --sick-timeout}, through no fault of theirs: another
   * one is to take its place.
   */
  public static final int SICK = 10;

  /**
   * A worker ended itself: its fleet needs it no more, it has lived for as long as it may, or its
   * machine is about to be taken away. A service manager is not to start it again.
   */
  public static final int ENDED_ITSELF = 11;

  /** Interrupted. */
  public static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
