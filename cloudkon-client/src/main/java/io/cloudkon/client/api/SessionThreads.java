package io.cloudkon.client.api;

/**
 * Starts the threads of a session. They may run for weeks, so they take over neither the
 * inheritable thread-locals nor the class loader of the thread that connects; those that they start
 * take over theirs. Stateless.
 */
final class SessionThreads {
  private SessionThreads() {}

  /** Starts a virtual thread, whose class loader is that of the sessions' classes. */
  static Thread start(String name, Runnable work) {
    Thread thread =
        Thread.ofVirtual().name(name).inheritInheritableThreadLocals(false).unstarted(work);
    thread.setContextClassLoader(SessionThreads.class.getClassLoader());
    thread.start();
    return thread;
  }
}
