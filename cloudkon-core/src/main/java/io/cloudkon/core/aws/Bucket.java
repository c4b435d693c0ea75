package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bucket for what is too large for messages; the clusters of an account share it.
 *
 * @param name its name
 * @param owner the account that it must belong to; null if the user chose the name
 */
record Bucket(String name, @Nullable String owner) {
  private static final Pattern LEGAL =
      Pattern.compile("(?!xn--|sthree-|amzn-s3-demo-)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern RESERVED =
      Pattern.compile(
          ".*\\.\\..*|[0-9]+(\\.[0-9]+){3}|.*(-s3alias|--ol-s3|\\.mrap|--x-s3|--table-s3)");
  private static final Pattern QUEUE_URL = Pattern.compile("https?://[^/]+/([0-9]{12})/.*");
  private static final String NO_ACCOUNT = "000000000000";

  /**
   * The one that the user chose.
   *
   * @throws UsageException if S3 takes no such name
   */
  static Bucket named(String name) {
    if (!LEGAL.matcher(name).matches() || RESERVED.matcher(name).matches()) {
      throw new UsageException(
          ("illegal bucket '%s': expected 3 to 63 lower-case letters, digits, '-' or '.', with a"
                  + " letter or digit at both ends, and no form that S3 reserves")
              .formatted(name));
    }
    return new Bucket(name, null);
  }

  /**
   * The default one of an account and region. Anybody may create a bucket of that name before us,
   * so its owner matters.
   *
   * @param queueUrl of any queue of the account; the ones of emulators may name none
   */
  static Bucket byDefault(String queueUrl, String region) {
    Matcher url = QUEUE_URL.matcher(queueUrl);
    String account = url.matches() ? url.group(1) : NO_ACCOUNT;
    return new Bucket("cloudkon-%s-%s".formatted(account, region), account);
  }

  boolean isDefault() {
    return owner != null;
  }

  /** The options of {@code cloudkon setup} that create it. */
  String setupOptions(String cluster) {
    return isDefault() ? "-s " + cluster : "-s %s --bucket %s".formatted(cluster, name);
  }
}
