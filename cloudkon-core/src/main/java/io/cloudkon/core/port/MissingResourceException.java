package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/** A queue or table that does not exist. */
public final class MissingResourceException extends CloudKonException {
  private static final long serialVersionUID = 1L;
  private final String resource;

  /**
   * Names what is missing.
   *
   * @param kind "queue" or "table"
   * @param resource its name
   */
  public MissingResourceException(String kind, String resource, @Nullable Throwable cause) {
    super(
        "%s '%s' does not exist; create the cluster with: cloudkon setup -s %s"
            .formatted(kind, resource, cluster(resource)),
        cause);
    this.resource = resource;
  }

  /** The missing queue's or table's name. */
  public String resource() {
    return resource;
  }

  private static String cluster(String resource) {
    return resource.replaceFirst(
        "-(hpc|dead|claims|workers|runs|ledger|decisions|response-.*)$", "");
  }
}
