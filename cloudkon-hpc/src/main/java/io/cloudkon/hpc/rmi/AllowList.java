package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes that a call or an answer may contain, and limits on their size. */
final class AllowList {
  private static final int DEPTH = 6;

  /** Enough for the ends of all ranks in one report. */
  private static final int REFERENCES = 128 * 1024;

  /** The maximum length of an array other than a byte array. */
  static final int ENTRIES = Limits.RANKS;

  /** The classes that a call may contain; arrays of them are allowed as well. */
  static final Set<Class<?>> CALL =
      Set.of(
          String.class,
          Address.class,
          Registration.class,
          Report.class,
          RankEnd.class,
          StartRanks.class,
          KillRanks.class,
          RankMessage.class);

  /** The classes that an answer may contain; arrays of them are allowed as well. */
  static final Set<Class<?>> ANSWER = Set.of(Welcome.class, Standing.class);

  private final Set<Class<?>> classes;
  private final Set<String> names;
  private final RmiSettings settings;

  AllowList(Set<Class<?>> classes, RmiSettings settings) {
    this.classes = classes;
    this.names = classes.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());
    this.settings = settings;
  }

  /** Whether a class of that name may be loaded. Arrays of primitives need no class loader. */
  boolean allows(String name) {
    return names.contains(name);
  }

  private boolean allows(Class<?> type) {
    return classes.contains(type)
        || (type.isArray() && type.componentType().isPrimitive())
        || Stream.of(Address.class, RankEnd.class, String.class)
            .anyMatch(c -> classes.contains(c) && type == c.arrayType());
  }

  /** A filter that rejects everything that is not on the list, regardless of other filters. */
  ObjectInputFilter filter(Runnable onRejected) {
    return info -> {
      if (fits(info)) {
        return info.serialClass() == null ? Status.UNDECIDED : Status.ALLOWED;
      }
      onRejected.run();
      return Status.REJECTED;
    };
  }

  private boolean fits(FilterInfo info) {
    Class<?> type = info.serialClass();
    return info.depth() <= DEPTH
        && info.references() <= REFERENCES
        && info.streamBytes() <= settings.callBytes()
        && info.arrayLength() <= (type == byte[].class ? settings.arrayBytes() : ENTRIES)
        && (type == null || allows(type));
  }

  /**
   * A class loader that knows only these classes and fails at the first other name. As the context
   * class loader of the exported object, it loads every class of a call for RMI.
   */
  ClassLoader loader(Runnable onRejected) {
    return new ClassLoader(AllowList.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (allows(name)) {
          return super.loadClass(name, resolve);
        }
        onRejected.run();
        throw new RejectedClassException();
      }
    };
  }

  /** Unchecked, because after a missing class a stream would continue to read. */
  static final class RejectedClassException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedClassException() {
      super("a class that is not allowed in a call", null, false, false);
    }
  }
}
