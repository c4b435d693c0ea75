package io.cloudkon.worker.execute;

import java.util.Set;

/** A load of shipped handlers as a task begins it, on a thread of its own. */
public final class StoppableLoad {
  private final HandlerLoad load;
  private final HandlerCall.Started started;

  /** Begins to load. */
  public StoppableLoad(HandlerSource source, HandlerRegistry own) {
    load = new HandlerLoad(source, own);
    started = load.start();
  }

  /** Ends the task that began it. */
  public void stop() {
    load.stop();
    started.thread().interrupt();
  }

  /** Whether it waits for another one. */
  public boolean waits() {
    return started.thread().getState() == Thread.State.WAITING;
  }

  /** The names of the handlers, once they are loaded. */
  public Set<String> names() throws InterruptedException {
    started.thread().join();
    return load.result(started.call()).names();
  }
}
