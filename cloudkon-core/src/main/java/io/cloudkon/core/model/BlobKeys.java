package io.cloudkon.core.model;

/**
 * Keys of the blob store (PROTOCOL.md, section 5): payloads {@code run/in/hash}, results {@code
 * run/out/bundle/nonce}, files that tasks bring back below those. Everything that belongs to a run
 * begins with its prefix.
 */
public final class BlobKeys {
  private static final String FILES = "/files-";

  private BlobKeys() {}

  /** The prefix of every key of a run. */
  public static String run(String run) {
    return run + '/';
  }

  /**
   * The key of content that tasks of the run need.
   *
   * @param sha256 the hash of the content in hex
   */
  public static String in(String run, String sha256) {
    return run + "/in/" + sha256;
  }

  /** The prefix of every key of a run's results. */
  public static String out(String run) {
    return run + "/out/";
  }

  /** The bundle to which a key of a run's results belongs. */
  public static String bundle(String run, String key) {
    String rest = key.substring(out(run).length());
    int end = rest.lastIndexOf('/', isFiles(key) ? rest.lastIndexOf(FILES) - 1 : rest.length());
    return end < 0 ? rest : rest.substring(0, end);
  }

  /**
   * The prefix of every key of a bundle's results, including those of its children.
   *
   * @param bundle its id, which begins with the run's id
   */
  public static String out(String run, String bundle) {
    return out(run) + bundle + '/';
  }

  /**
   * The key of one message of results.
   *
   * @param nonce the nonce of the receive that led to them
   * @param firstOrdinal the ordinal of the first task in it, which distinguishes the messages of
   *     one receive
   */
  public static String out(String run, String bundle, String nonce, int firstOrdinal) {
    return out(run, bundle) + nonce + '-' + firstOrdinal;
  }

  /**
   * The key of files that a task brought back. It is among those of the results, but is not a
   * message of results.
   *
   * @param number distinguishes the files of one receive, because a task may be tried again
   */
  public static String files(String run, String bundle, String nonce, int ordinal, long number) {
    return out(run, bundle, nonce, ordinal) + FILES + number;
  }

  /** Whether the key belongs to files that a task brought back, and not to results. */
  public static boolean isFiles(String key) {
    return key.matches(".*" + FILES + "[0-9]+");
  }
}
