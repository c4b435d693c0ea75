package io.cloudkon.worker.execute;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, on a thread that can be abandoned.
 *
 * <p>Any exception or error of the handler fails the task and not the worker: a StackOverflowError
 * has unwound its stack, and an OutOfMemoryError has usually freed the memory in question. To end
 * the worker instead, start it with {@code -XX:+ExitOnOutOfMemoryError}.
 */
final class HandlerCall implements Runnable, BooleanSupplier {
  private static final byte[] NOTHING = {};
  private static final Thread.Builder.OfVirtual THREADS =
      Thread.ofVirtual().name("handler").inheritInheritableThreadLocals(false);

  private final Body body;
  private final Thread slot;
  private byte[] answer = NOTHING;
  private @Nullable Throwable thrown;
  private volatile boolean done;

  private HandlerCall(Body body) {
    this.body = body;
    this.slot = Thread.currentThread();
  }

  /**
   * The code to call.
   *
   * @param handler the handler that the code belongs to
   * @param code the call itself
   */
  record Body(Object handler, Code code) {}

  /** A handler's method with its arguments; may return null, as handlers do. */
  interface Code {
    byte @Nullable [] run() throws Exception;
  }

  /** A call, and the thread it runs on. */
  record Started(HandlerCall call, Thread thread) {}

  static Started start(Body body) {
    HandlerCall call = new HandlerCall(body);
    return new Started(call, THREADS.start(call));
  }

  @Override
  public void run() {
    // a handler of a jar may look up classes through its thread, as XML parsers and JDBC do
    Thread.currentThread().setContextClassLoader(body.handler().getClass().getClassLoader());
    try {
      byte[] bytes = body.code().run();
      answer = bytes == null ? NOTHING : bytes;
    } catch (Throwable t) {
      thrown = t;
    }
    done = true;
    LockSupport.unpark(slot);
  }

  @Override
  public boolean getAsBoolean() {
    return done;
  }

  /** The handler's answer, once done; empty if it threw. */
  byte[] answer() {
    return answer;
  }

  /** The handler's exception, once done; null if there was none. */
  @Nullable Throwable thrown() {
    return thrown;
  }
}
