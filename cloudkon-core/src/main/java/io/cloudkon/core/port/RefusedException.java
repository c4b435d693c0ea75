package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Signals a call that a policy does not allow. It had no effect, and will fail until the policy is
 * changed.
 */
public final class RefusedException extends CloudKonException {
  private static final long serialVersionUID = 1L;
  private final String action;
  private final String kind;
  private final String resource;
  private final String advice;

  /**
   * Names the refused action and resource.
   *
   * @param action IAM's name of the action, such as {@code sqs:SendMessage}
   * @param kind "queue", "table" or "bucket"
   * @param resource its name; for a bucket that clusters share, bucket and prefix: {@code
   *     bucket/Q/*}
   * @param said the service's message
   */
  public RefusedException(
      String action, String kind, String resource, String said, @Nullable Throwable cause) {
    this(action, kind, resource, said, "", cause);
  }

  /**
   * Names the refused action and resource, and another possible reason.
   *
   * @param advice the end of a sentence; empty if there is none
   */
  public RefusedException(
      String action,
      String kind,
      String resource,
      String said,
      String advice,
      @Nullable Throwable cause) {
    super(
        "%s on %s '%s' was denied: %s; check the credentials, and that they allow %s%s"
            .formatted(action, kind, resource, said, action, behind(advice)),
        cause);
    this.action = action;
    this.kind = kind;
    this.resource = resource;
    this.advice = advice;
  }

  private static String behind(String advice) {
    return advice.isEmpty() ? "" : "; " + advice;
  }

  /**
   * Combines refusals in one exception.
   *
   * @param refusals at least one refusal
   */
  public static CloudKonException inOne(List<RefusedException> refusals) {
    RefusedException first = refusals.getFirst();
    List<String> what = refusals.stream().map(RefusedException::what).distinct().toList();
    return what.size() == 1
        ? first
        : new CloudKonException(
            "%d actions are denied: %s; check the credentials, and that they allow these%s"
                .formatted(
                    what.size(),
                    String.join("; ", what),
                    refusals.stream()
                        .map(refusal -> behind(refusal.advice))
                        .distinct()
                        .collect(Collectors.joining())),
            first);
  }

  /** IAM's name of the action that the policy lacks; several are separated by commas. */
  public String action() {
    return action;
  }

  /** The name of the queue or table, or the bucket with its prefix. */
  public String resource() {
    return resource;
  }

  /** Action and resource, for display: {@code sqs:SendMessage on queue 'Q-dead'}. */
  public String what() {
    return "%s on %s '%s'".formatted(action, kind, resource);
  }
}
