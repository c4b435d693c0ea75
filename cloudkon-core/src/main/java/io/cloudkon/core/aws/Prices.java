package io.cloudkon.core.aws;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * What calls cost, by list price. Immutable.
 *
 * @param asOf the date of the price list
 * @param region which region's
 * @param sqsPerMillion USD per million requests of a standard queue
 * @param writesPerMillion USD per million DynamoDB write units on demand
 * @param readsPerMillion USD per million DynamoDB read units on demand
 * @param putsPerMillion USD per million S3 requests that write or list
 * @param getsPerMillion USD per million S3 requests that read; those that remove are free
 */
public record Prices(
    String asOf,
    String region,
    double sqsPerMillion,
    double writesPerMillion,
    double readsPerMillion,
    double putsPerMillion,
    double getsPerMillion) {
  private static final Set<String> READS =
      Set.of("dynamodb.GetItem", "dynamodb.BatchGetItem", "dynamodb.Query", "dynamodb.Scan");
  private static final Set<String> GETS =
      Set.of("s3.GetObject", "s3.HeadBucket", "s3.GetBucketLifecycleConfiguration");

  /** The list prices that this version knows: file {@code prices.properties} beside this class. */
  public static Prices list() {
    Properties file = new Properties();
    try (InputStream in = Prices.class.getResourceAsStream("prices.properties")) {
      if (in == null) {
        throw new IllegalStateException("prices.properties is missing from the jar");
      }
      file.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Prices(
        text(file, "as-of"),
        text(file, "region"),
        number(file, "sqs.request"),
        number(file, "dynamodb.write"),
        number(file, "dynamodb.read"),
        number(file, "s3.put"),
        number(file, "s3.get"));
  }

  /** What these calls cost, in USD. Free tiers are not deducted; storage and traffic not added. */
  public double cost(List<Calls> calls) {
    return calls.stream().mapToDouble(c -> c.units() * perMillion(c.operation()) / 1e6).sum();
  }

  private double perMillion(String operation) {
    if (operation.startsWith("sqs.")) {
      return sqsPerMillion;
    }
    if (operation.startsWith("dynamodb.")) {
      return READS.contains(operation) ? readsPerMillion : writesPerMillion;
    }
    if (operation.startsWith("s3.") && !operation.startsWith("s3.Delete")) {
      return GETS.contains(operation) ? getsPerMillion : putsPerMillion;
    }
    return 0;
  }

  private static String text(Properties file, String key) {
    String value = file.getProperty(key);
    if (value == null) {
      throw new IllegalStateException("prices.properties lacks " + key);
    }
    return value;
  }

  private static double number(Properties file, String key) {
    return Double.parseDouble(text(file, key));
  }
}
