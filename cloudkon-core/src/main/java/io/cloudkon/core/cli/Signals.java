package io.cloudkon.core.cli;

import java.lang.reflect.Proxy;

/**
 * Ctrl-C and SIGTERM, told to the program instead of ending it. By reflection: the JDK has it in
 * {@code sun.misc}, which a compiler warns of, and a JVM may do without. Stateless.
 */
public final class Signals {
  private Signals() {}

  /**
   * Has Ctrl-C run this, each time on a thread of its own.
   *
   * @return whether it will; false where the JVM does not let one, or the process was started with
   *     Ctrl-C switched off
   */
  public static boolean onCtrlC(Runnable action) {
    return on("INT", action);
  }

  /**
   * Has SIGTERM run this, each time on a thread of its own.
   *
   * @return as {@link #onCtrlC}
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
