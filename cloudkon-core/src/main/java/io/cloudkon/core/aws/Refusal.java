package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.TransientServiceException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A {@link Transaction} of which nothing was carried out, as a condition does not hold.
 *
 * @param items for each part, in the order in which they were added, the item as it stands where
 *     that part's condition does not hold; empty where it does, or where there is no item
 */
record Refusal(List<Map<String, AttributeValue>> items) {
  private static final String CONDITION = "ConditionalCheckFailed";

  /** Another write of the item is under way, or the service has too much to do. */
  private static final Set<String> PASSING =
      Set.of(
          "InternalServerError",
          "ProvisionedThroughputExceeded",
          "RequestLimitExceeded",
          "ThrottlingError",
          "TransactionConflict");

  /**
   * What a cancelled transaction means. One that failed in passing is no refusal, whatever else was
   * wrong with it: its next try tells.
   *
   * @throws TransientServiceException if it failed in passing
   * @throws CloudKonException if it can never be carried out
   */
  static Refusal of(AwsCall call, TransactionCanceledException e) {
    List<CancellationReason> reasons = e.cancellationReasons();
    Set<String> codes =
        reasons.stream()
            .map(Refusal::code)
            .filter(code -> !code.equals("None"))
            .collect(Collectors.toSet());
    if (codes.stream().anyMatch(PASSING::contains)) {
      throw new TransientServiceException("%s failed in passing: %s".formatted(call, said(e)), e);
    }
    if (!codes.equals(Set.of(CONDITION))) {
      throw new CloudKonException("%s was refused: %s".formatted(call, said(e)), e);
    }
    return new Refusal(reasons.stream().map(Refusal::item).toList());
  }

  /** The item as it stands where this part's condition does not hold; else empty. */
  Map<String, AttributeValue> item(int part) {
    return part < items.size() ? items.get(part) : Map.of();
  }

  private static Map<String, AttributeValue> item(CancellationReason reason) {
    return code(reason).equals(CONDITION) && reason.hasItem() ? reason.item() : Map.of();
  }

  private static String code(CancellationReason reason) {
    return reason.code() == null ? "None" : reason.code();
  }

  private static String said(TransactionCanceledException e) {
    return e.cancellationReasons().stream()
        .filter(reason -> !code(reason).equals("None"))
        .map(reason ->
            reason.message() == null ? code(reason) : code(reason) + ' ' + reason.message())
        .distinct()
        .collect(Collectors.joining(", ", "cancelled for ", ""));
  }
}
