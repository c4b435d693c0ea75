package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes that may come in a call or an answer, and limits on their size. */
final class AllowList {
  private static final int DEPTH = 6;

  /** Every rank's end in one report, with room. */
  private static final int REFERENCES = 128 * 1024;

  /** Entries of an array other than of bytes. */
  static final int ENTRIES = Limits.RANKS;

  /** All that a call may bring, apart from arrays of it. */
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

  /** All that an answer may bring, apart from arrays of it. */
  static final Set<Class<?>> ANSWER = Set.of(Welcome.class, Standing.class);

  private final Set<Class<?>> classes;
  private final Set<String> names;
  private final RmiSettings settings;

  AllowList(Set<Class<?>> classes, RmiSettings settings) {
    this.classes = classes;
    this.names = classes.stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());
    this.settings = settings;
  }

  /** Whether a class of that name may be loaded. Arrays of primitives are loaded by no loader. */
  boolean allows(String name) {
    return names.contains(name);
  }

  private boolean allows(Class<?> type) {
    return classes.contains(type)
        || (type.isArray() && type.componentType().isPrimitive())
        || Stream.of(Address.class, RankEnd.class, String.class)
            .anyMatch(c -> classes.contains(c) && type == c.arrayType());
  }

  /** Rejects what is not on the list, whatever another filter would say. */
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
   * A loader that knows these classes only, and stops at the first other name: made the context
   * loader of the exported object, it is the one that RMI asks for every class of a call.
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

  /** Unchecked, so that no stream reads on past the class, as it does past a missing one. */
  static final class RejectedClassException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedClassException() {
      super("a class that is not allowed in a call", null, false, false);
    }
  }
}
