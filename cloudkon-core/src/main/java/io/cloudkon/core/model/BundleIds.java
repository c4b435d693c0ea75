package io.cloudkon.core.model;

/** Bundle ids: {@code run/epoch/sequence}, children of a split {@code parent/k}. */
public final class BundleIds {
  private BundleIds() {}

  /** The id of a bundle that the client made. */
  public static String of(String run, String epoch, int sequence) {
    return run + '/' + epoch + '/' + sequence;
  }

  /** The id of a bundle's k-th child. */
  public static String child(String parent, int k) {
    return parent + '/' + k;
  }

  /** How often the bundle was split on its way: 0 for one that the client made. */
  public static int depth(String bundle) {
    return (int) bundle.chars().filter(c -> c == '/').count() - 2;
  }

  /**
   * The sequence number within run and epoch of the bundle, or of the one that it was split from;
   * -1 if malformed.
   */
  public static int sequence(String bundle) {
    int epoch = bundle.indexOf('/');
    int start = bundle.indexOf('/', epoch + 1) + 1;
    if (epoch < 0 || start == 0) {
      return -1;
    }
    int end = bundle.indexOf('/', start);
    try {
      return Integer.parseInt(bundle.substring(start, end < 0 ? bundle.length() : end));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
