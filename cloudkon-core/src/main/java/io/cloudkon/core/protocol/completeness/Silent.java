package io.cloudkon.core.protocol.completeness;

/**
 * A silent bundle or child, which is sent again as a whole if necessary, and only once, however
 * many claims require it.
 */
final class Silent {
  private final String id;
  private final int[] ordinals;
  private final boolean old;
  private boolean judged;
  private boolean resent;

  /**
   * A bundle or child whose claims are about to be read.
   *
   * @param id its id
   * @param ordinals its tasks
   * @param old whether the queue may have dropped it at the time at which its first claim was
   *     requested, so that sending a part of it again does not change this
   */
  Silent(String id, int[] ordinals, boolean old) {
    this.id = id;
    this.ordinals = ordinals;
    this.old = old;
  }

  String id() {
    return id;
  }

  int[] ordinals() {
    return ordinals;
  }

  boolean old() {
    return old;
  }

  /** Returns true when its first claim is evaluated. */
  boolean judge() {
    boolean first = !judged;
    judged = true;
    return first;
  }

  /** Requests that it is sent again; true only the first time. */
  boolean resend() {
    boolean first = !resent;
    resent = true;
    return first;
  }
}
