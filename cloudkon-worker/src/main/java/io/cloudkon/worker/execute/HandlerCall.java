package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.TaskHandler;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, on a thread that can be given up.
 *
 * <p>Whatever it throws fails the task and not the worker, errors too: a StackOverflowError has
 * unwound its stack, and an OutOfMemoryError mostly freed what it was about. Who would rather lose
 * the worker starts it with {@code -XX:+ExitOnOutOfMemoryError}.
 */
final class HandlerCall implements Runnable, BooleanSupplier {
  private static final byte[] NOTHING = {};
  private static final Thread.Builder.OfVirtual THREADS =
      Thread.ofVirtual().name("handler").inheritInheritableThreadLocals(false);

  private final TaskHandler handler;
  private final List<String> args;
  private final Thread slot;
  private byte[] answer = NOTHING;
  private @Nullable Throwable thrown;
  private volatile boolean done;

  private HandlerCall(TaskHandler handler, List<String> args) {
    this.handler = handler;
    this.args = args;
    this.slot = Thread.currentThread();
  }

  /** A call, and the thread it runs on. */
  record Started(HandlerCall call, Thread thread) {}

  static Started start(TaskHandler handler, List<String> args) {
    HandlerCall call = new HandlerCall(handler, args);
    return new Started(call, THREADS.start(call));
  }

  @Override
  public void run() {
    // a handler of a jar may look up classes through its thread, as XML parsers and JDBC do
    Thread.currentThread().setContextClassLoader(handler.getClass().getClassLoader());
    try {
      byte[] bytes = handler.run(args);
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

  /** Its answer, once done; empty if it threw. */
  byte[] answer() {
    return answer;
  }

  /** What it threw, once done. */
  @Nullable Throwable thrown() {
    return thrown;
  }
}
