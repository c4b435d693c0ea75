package io.cloudkon.core.model;

/**
 * Keys of the blob store (PROTOCOL.md, section 5): payloads {@code run/in/hash}, results {@code
 * run/out/bundle/nonce}, files that tasks bring back below those. Everything that belongs to a run
 * begins with its prefix.
 */
public final class BlobKeys {
  private static final String FILES = "/files-";

  private BlobKeys() {}

  /** What every key of a run begins with. */
  public static String run(String run) {
    return run + '/';
  }

  /**
   * Something that tasks of the run need, by its content.
   *
   * @param sha256 hex
   */
  public static String in(String run, String sha256) {
    return run + "/in/" + sha256;
  }

  /**
   * What every key of a bundle's results begins with, those of its children among them.
   *
   * @param bundle its id, which begins with the run's
   */
  public static String out(String run, String bundle) {
    return run + "/out/" + bundle + '/';
  }

  /**
   * One message of results.
   *
   * @param nonce of the receive that led to them
   * @param firstOrdinal of the first task in it: tells apart what one receive led to
   */
  public static String out(String run, String bundle, String nonce, int firstOrdinal) {
    return out(run, bundle) + nonce + '-' + firstOrdinal;
  }

  /**
   * Files that a task brought back; no message of results, though it lies among them.
   *
   * @param number tells apart what one receive led to, as a task may be tried again
   */
  public static String files(String run, String bundle, String nonce, int ordinal, long number) {
    return out(run, bundle, nonce, ordinal) + FILES + number;
  }

  /** Whether files lie there that a task brought back, and no results. */
  public static boolean isFiles(String key) {
    return key.matches(".*" + FILES + "[0-9]+");
  }
}
