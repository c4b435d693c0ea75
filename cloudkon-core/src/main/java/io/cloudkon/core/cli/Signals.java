package io.cloudkon.core.cli;

import java.lang.reflect.Proxy;

/**
 * Handles Ctrl-C and SIGTERM in the program instead of ending it. It uses reflection, because the
 * JDK's API is in {@code sun.misc}, about which compilers warn and which a JVM may lack. Stateless.
 */
public final class Signals {
  private Signals() {}

  /**
   * Runs an action on Ctrl-C, each time on its own thread.
   *
   * @return whether it was installed; false if the JVM does not allow it, or the process was
   *     started with Ctrl-C switched off
   */
  public static boolean onCtrlC(Runnable action) {
    return on("INT", action);
  }

  /**
   * Runs an action on SIGTERM, each time on its own thread.
   *
   * @return whether it was installed, as for {@link #onCtrlC}
   */
  public static boolean onTerminate(Runnable action) {
    return on("TERM", action);
  }

  @SuppressWarnings("ReferenceEquality") // a proxy has no equality but this, nor has SIG_IGN
  private static boolean on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object told =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      action.run();
                      yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "on SIG" + name;
                  });
      Object before =
          signal
              .getMethod("handle", signal, handler)
              .invoke(null, signal.getConstructor(String.class).newInstance(name), told);
      return before != handler.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
