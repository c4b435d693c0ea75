package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.Launcher;
import org.jspecify.annotations.Nullable;

/** Signals that a queue, table or bucket does not exist. */
public final class MissingResourceException extends CloudKonException {
  private static final long serialVersionUID = 1L;
  private final String resource;
  private final boolean bucket;

  /**
   * Names the missing queue or table.
   *
   * @param kind "queue" or "table"
   * @param resource its name
   */
  public MissingResourceException(String kind, String resource, @Nullable Throwable cause) {
    this(
        "%s '%s' does not exist; create the cluster with: %s setup -s %s"
            .formatted(kind, resource, Launcher.name(), cluster(resource)),
        cause,
        resource,
        false);
  }

  private MissingResourceException(
      String message, @Nullable Throwable cause, String resource, boolean bucket) {
    super(message, cause);
    this.resource = resource;
    this.bucket = bucket;
  }

  /**
   * Names a missing bucket, whose name does not contain the cluster's name.
   *
   * @param setupOptions the options of {@code cloudkon setup} that create it: {@code -s Q}
   */
  public static MissingResourceException bucket(
      String bucket, String setupOptions, @Nullable Throwable cause) {
    return new MissingResourceException(
        "bucket '%s' does not exist; create it with: %s setup %s"
            .formatted(bucket, Launcher.name(), setupOptions),
        cause,
        bucket,
        true);
  }

  /**
   * For a queue that a bundle or entry names as a response queue of the cluster, but that is not
   * one.
   */
  public static MissingResourceException foreign(String queue, String cluster) {
    return new MissingResourceException(
        "'%s' is not the name of a response queue in cluster %s".formatted(queue, cluster),
        null,
        queue,
        false);
  }

  /** The same exception with additional text. */
  public MissingResourceException with(String more) {
    return new MissingResourceException(getMessage() + more, this, resource, bucket);
  }

  /** The missing queue's, table's or bucket's name. */
  public String resource() {
    return resource;
  }

  /** Whether a bucket is missing, not a queue or table. */
  public boolean isBucket() {
    return bucket;
  }

  private static String cluster(String resource) {
    return resource.replaceFirst(
        "-(hpc|ranks|dead|claims|workers|runs|ledger|decisions|response-.*)$", "");
  }
}
