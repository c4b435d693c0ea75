package io.cloudkon.core.model;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of work that a worker accepts, named as on the command line ({@code --allow
 * noop,sleep,exec,java,shipped-java}). {@code java} tasks come in two sorts: {@link #JAVA} covers
 * handlers that whoever started the worker gave it (built in, or by {@code --handlers}), {@link
 * #SHIPPED_JAVA} those in jars that a client ships, which run in the worker's own JVM.
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

  /** The kinds of work that a worker takes which allows these. */
  public static Set<Work.Kind> kinds(Collection<AllowedWork> allowed) {
    Set<Work.Kind> kinds = EnumSet.noneOf(Work.Kind.class);
    allowed.forEach(work -> kinds.add(work.kind));
    return kinds;
  }
}
