package io.cloudkon.core.aws;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Converts DynamoDB attribute values; a missing value reads as empty or zero. */
final class Items {
  /** The key of every table. */
  static final String ID = "id";

  /** The attribute by which DynamoDB removes items; epoch seconds. */
  static final String TTL = "ttl";

  /**
   * How long runs and decisions are kept after their last write, in seconds: 15 days, one day
   * longer than the results that wait in a response queue. Claims are kept for longer, so that a
   * run is never resumed without them.
   */
  static final long KEPT_SECONDS = 15 * 24 * 3600L;

  /** Requested with every call, because costs are computed from it. */
  static final ReturnConsumedCapacity CAPACITY = ReturnConsumedCapacity.TOTAL;

  private Items() {}

  static AttributeValue of(String text) {
    return AttributeValue.fromS(text);
  }

  static AttributeValue of(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  /**
   * A number; NaN and infinity, such as a rate over no time, are stored as zero because DynamoDB
   * refuses them.
   */
  static AttributeValue of(double number) {
    return AttributeValue.fromN(Double.toString(Double.isFinite(number) ? number : 0));
  }

  static AttributeValue of(byte[] bytes) {
    return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
  }

  static Map<String, AttributeValue> key(String id) {
    return Map.of(ID, of(id));
  }

  static String text(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value == null || value.s() == null ? "" : value.s();
  }

  static long number(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
  }

  static double real(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value == null || value.n() == null ? 0 : Double.parseDouble(value.n());
  }

  static boolean flag(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value != null && Boolean.TRUE.equals(value.bool());
  }

  static byte[] bytes(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value == null || value.b() == null ? new byte[0] : value.b().asByteArrayUnsafe();
  }
}
