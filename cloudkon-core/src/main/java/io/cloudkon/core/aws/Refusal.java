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
 * The refusal of a {@link Transaction} because a condition does not hold; nothing of it was carried
 * out.
 *
 * @param items for each part, in order, the current item if that part's condition does not hold;
 *     empty if it holds, or if there is no item
 */
record Refusal(List<Map<String, AttributeValue>> items) {
  private static final String CONDITION = "ConditionalCheckFailed";

  /** Another write of the item is under way, or the service is overloaded. */
  private static final Set<String> PASSING =
      Set.of(
          "InternalServerError",
          "ProvisionedThroughputExceeded",
          "RequestLimitExceeded",
          "ThrottlingError",
          "TransactionConflict");

  /**
   * Interprets a cancelled transaction. A temporary failure is not a refusal, even if a condition
   * failed as well: the next try decides.
   *
   * @throws TransientServiceException if it failed temporarily
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
      throw new TransientServiceException("%s failed temporarily: %s".formatted(call, said(e)), e);
    }
    if (!codes.equals(Set.of(CONDITION))) {
      throw new CloudKonException("%s was refused: %s".formatted(call, said(e)), e);
    }
    return new Refusal(reasons.stream().map(Refusal::item).toList());
  }

  /** The current item if this part's condition does not hold; otherwise empty. */
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
