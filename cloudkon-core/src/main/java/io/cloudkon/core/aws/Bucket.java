package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bucket for content that is too large for messages; the clusters of an account share it.
 *
 * @param name its name
 * @param owner the account to which it must belong, which every call names because anyone may
 *     create a bucket with an unused name
 * @param option the value of {@code --bucket}; null for the default bucket
 */
record Bucket(String name, String owner, @Nullable String option) {
  private static final Pattern LEGAL =
      Pattern.compile("(?!xn--|sthree-|amzn-s3-demo-)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern RESERVED =
      Pattern.compile(
          ".*\\.\\..*|[0-9]+(\\.[0-9]+){3}|.*(-s3alias|--ol-s3|\\.mrap|--x-s3|--table-s3)");
  private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
  private static final Pattern QUEUE_URL = Pattern.compile("https?://[^/]+/([0-9]{12})/.*");
  private static final String NO_ACCOUNT = "000000000000";

  /** Determines the bucket once the account is known. */
  interface Choice {
    /**
     * The bucket.
     *
     * @param queueUrl supplies the address of any queue of the account, if the account is needed;
     *     addresses of emulators may contain no account
     */
    Bucket in(Supplier<String> queueUrl, String region);
  }

  /** The default bucket {@code cloudkon-ACCOUNT-REGION} of the queues' account. */
  static Choice byDefault() {
    return (queueUrl, region) -> {
      String account = account(queueUrl.get());
      return new Bucket("cloudkon-%s-%s".formatted(account, region), account, null);
    };
  }

  /**
   * The bucket that the user chose: {@code NAME} of the queues' account, or {@code NAME@ACCOUNT}.
   *
   * @throws UsageException if it is not a valid bucket name or account
   */
  static Choice named(String option) {
    int at = option.indexOf('@');
    String name = at < 0 ? option : option.substring(0, at);
    if (!LEGAL.matcher(name).matches() || RESERVED.matcher(name).matches()) {
      throw new UsageException(
          ("illegal bucket '%s': expected 3 to 63 lower-case letters, digits, '-' or '.', with a"
                  + " letter or digit at both ends, and no form that S3 reserves")
              .formatted(name));
    }
    if (at < 0) {
      return (queueUrl, _) -> new Bucket(name, account(queueUrl.get()), option);
    }
    String owner = option.substring(at + 1);
    if (!ACCOUNT.matcher(owner).matches()) {
      throw new UsageException(
          "illegal bucket '%s': expected an account of 12 digits after '@', not '%s'"
              .formatted(option, owner));
    }
    return (_, _) -> new Bucket(name, owner, option);
  }

  private static String account(String queueUrl) {
    Matcher url = QUEUE_URL.matcher(queueUrl);
    return url.matches() ? url.group(1) : NO_ACCOUNT;
  }

  boolean isDefault() {
    return option == null;
  }

  /**
   * The reason why it may be refused regardless of policies; empty if this is known not to be the
   * reason.
   */
  String refusalAdvice() {
    return option == null || option.contains("@")
        ? ""
        : "'%s' must belong to account %s, as the queues do: give one of another account as --bucket %s@ACCOUNT"
            .formatted(name, owner, name);
  }

  /** The options of {@code cloudkon setup} that create it. */
  String setupOptions(String cluster) {
    return isDefault() ? "-s " + cluster : "-s %s --bucket %s".formatted(cluster, option);
  }
}
