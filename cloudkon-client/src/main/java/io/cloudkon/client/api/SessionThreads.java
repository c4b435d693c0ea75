package io.cloudkon.client.api;

/**
 * Starts the threads of a session. They may run for weeks, so they do not take over the inheritable
 * thread-locals of the thread that connects, and its class loader only where they run the program's
 * code; those that they start take over theirs. Stateless.
 */
final class SessionThreads {
  private SessionThreads() {}

  /** Starts a virtual thread, whose class loader is that of the sessions' classes. */
  static Thread start(String name, Runnable work) {
    return start(name, SessionThreads.class.getClassLoader(), work);
  }

  /**
   * Starts a virtual thread that runs the program's own code.
   *
   * @param loader the thread's class loader
   */
  static Thread start(String name, ClassLoader loader, Runnable work) {
    Thread thread =
        Thread.ofVirtual().name(name).inheritInheritableThreadLocals(false).unstarted(work);
    thread.setContextClassLoader(loader);
    thread.start();
    return thread;
  }
}
