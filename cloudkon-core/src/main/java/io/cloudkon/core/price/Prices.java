package io.cloudkon.core.price;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.util.List;
import java.util.Set;

/**
 * The list prices of calls. Immutable.
 *
 * @param asOf the date of the price list
 * @param region the region of the prices
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

  /** The list prices that this version knows. */
  public static Prices list() {
    PriceFile file = new PriceFile();
    return new Prices(
        file.text("as-of"),
        file.text("region"),
        file.number("sqs.request"),
        file.number("dynamodb.write"),
        file.number("dynamodb.read"),
        file.number("s3.put"),
        file.number("s3.get"));
  }

  /**
   * The cost of these calls in USD. Free tiers are not deducted; storage and traffic are not
   * included.
   */
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
}
