package io.cloudkon.core.protocol.completeness;

/**
 * A bundle, or a child of one, of which nothing was heard: what is sent again as a whole if it has
 * to be, however many claims say so.
 */
final class Silent {
  private final String id;
  private final int[] ordinals;
  private final boolean old;
  private boolean judged;
  private boolean resent;

  /**
   * One whose claims are about to be read.
   *
   * @param id the bundle's or child's
   * @param ordinals its tasks
   * @param old whether the queue may have forgotten it: as things stood when its first claim was
   *     asked for, so that what is sent again of it makes nothing younger
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

  /** Its first claim is judged now; true the first time. */
  boolean judge() {
    boolean first = !judged;
    judged = true;
    return first;
  }

  /** It is to be sent again; true the first time. */
  boolean resend() {
    boolean first = !resent;
    resent = true;
    return first;
  }
}
