package io.cloudkon.core.model;

/** Bundle ids: {@code run/epoch/sequence}, children of a split {@code parent/k}. */
public final class BundleIds {
  /** Separates a bundle's id from a task's position in the key of that task's claim. */
  private static final String TASK = "/t";

  private BundleIds() {}

  /** The id of a bundle that the client made. */
  public static String of(String run, String epoch, int sequence) {
    return run + '/' + epoch + '/' + sequence;
  }

  /** The run of a bundle, or of an HPC job, whose id is its bundle's. */
  public static String run(String bundle) {
    int end = bundle.indexOf('/');
    return end < 0 ? bundle : bundle.substring(0, end);
  }

  /** The id of a bundle's k-th child. */
  public static String child(String parent, int k) {
    return parent + '/' + k;
  }

  /** The key of the claim on the task at this position, if each task has its own claim. */
  public static String taskClaim(String bundle, int position) {
    return bundle + TASK + position;
  }

  /** The bundle whose tasks, or one of whose tasks, a claim guards. */
  public static String ofClaim(String claim) {
    int task = taskOf(claim);
    return task < 0 ? claim : claim.substring(0, task);
  }

  /** The position of the task that a claim guards; -1 if it guards all tasks of its bundle. */
  public static int positionOfClaim(String claim) {
    int task = taskOf(claim);
    return task < 0 ? -1 : Integer.parseInt(claim.substring(task + TASK.length()));
  }

  /**
   * The index at which the claim's key names a task; -1 if it does not. Runs and epochs may begin
   * with a t.
   */
  private static int taskOf(String claim) {
    int last = claim.lastIndexOf('/');
    return last >= 0 && claim.startsWith(TASK, last) && depth(claim) > 0 ? last : -1;
  }

  /** How often the bundle was split; 0 for a bundle that the client made. */
  public static int depth(String bundle) {
    return (int) bundle.chars().filter(c -> c == '/').count() - 2;
  }

  /**
   * The sequence number, within run and epoch, of the bundle or of the one from which it was split;
   * -1 if the id is malformed.
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
