package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells when it is read. */
final class Canary implements Serializable, Comparator<Object> {
  private static final long serialVersionUID = 1L;

  /** How often one was read, compared by, or hashed. */
  static final AtomicInteger SUNG = new AtomicInteger();

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    SUNG.incrementAndGet();
    in.defaultReadObject();
  }

  private Object readResolve() {
    SUNG.incrementAndGet();
    return this;
  }

  @Override
  public int compare(Object a, Object b) {
    SUNG.incrementAndGet();
    return Integer.compare(String.valueOf(a).length(), String.valueOf(b).length());
  }

  @Override
  public int hashCode() {
    SUNG.incrementAndGet();
    return 0;
  }

  @Override
  public boolean equals(Object other) {
    SUNG.incrementAndGet();
    return other instanceof Canary;
  }
}
