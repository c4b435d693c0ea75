package io.cloudkon.core.model;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of work that a worker accepts, named as on the command line ({@code --allow
 * noop,sleep,exec,java,shipped-java}). {@code java} tasks are divided in two: {@link #JAVA} covers
 * the worker's own handlers (built in, or from {@code --handlers}), and {@link #SHIPPED_JAVA}
 * covers those in jars that a client ships, which run in the worker's own JVM.
 */
public enum AllowedWork {
  NOOP(Work.Kind.NOOP),
  SLEEP(Work.Kind.SLEEP),
  EXEC(Work.Kind.EXEC),
  JAVA(Work.Kind.JAVA),
  SHIPPED_JAVA(Work.Kind.JAVA);

  private final Work.Kind kind;

  AllowedWork(Work.Kind kind) {
    this.kind = kind;
  }

  /** The kinds of work that a worker takes if it allows these. */
  public static Set<Work.Kind> kinds(Collection<AllowedWork> allowed) {
    Set<Work.Kind> kinds = EnumSet.noneOf(Work.Kind.class);
    allowed.forEach(work -> kinds.add(work.kind));
    return kinds;
  }
}
