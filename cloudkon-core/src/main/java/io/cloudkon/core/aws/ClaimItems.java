package io.cloudkon.core.aws;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Claims as items. Empty bitmaps, sets and maps are not stored. */
final class ClaimItems {
  static final String STATE = "state";
  static final String OWNER = "owner";
  static final String NONCE = "nonce";
  static final String ATTEMPT = "attempt";
  static final String SEQ = "seq";
  static final String RELEASES = "releases";
  static final String LEASE_END = "leaseEnd";
  static final String STARTED = "started";
  static final String DONE = "done";
  static final String CHILDREN = "children";
  static final String SURVIVED = "survived";

  private static final String TASKS = "tasks";
  private static final String SENT = "sent";

  private ClaimItems() {}

  static Claim decode(Map<String, AttributeValue> item) {
    return new Claim(
        Items.text(item, Items.ID),
        ClaimState.valueOf(Items.text(item, STATE)),
        Items.text(item, OWNER),
        Items.text(item, NONCE),
        (int) Items.number(item, ATTEMPT),
        Items.number(item, SEQ),
        (int) Items.number(item, RELEASES),
        Items.number(item, LEASE_END),
        Positions.fromBytes(Items.bytes(item, STARTED)),
        Positions.fromBytes(Items.bytes(item, DONE)),
        children(item.get(CHILDREN)),
        Items.number(item, Items.TTL),
        attempts(item.get(SURVIVED)));
  }

  /** Attempts as a set of numbers, of which DynamoDB has no empty one. */
  static AttributeValue attempts(Positions attempts) {
    return AttributeValue.fromNs(attempts.stream().mapToObj(Integer::toString).toList());
  }

  /** Items of older versions have none. */
  private static Positions attempts(@Nullable AttributeValue value) {
    return value == null || !value.hasNs()
        ? Positions.none()
        : Positions.of(value.ns().stream().mapToInt(Integer::parseInt).toArray());
  }

  static AttributeValue encode(SortedMap<Integer, Child> children) {
    Map<String, AttributeValue> byNumber = HashMap.newHashMap(children.size());
    children.forEach((k, child) ->
        byNumber.put(
            Integer.toString(k),
            AttributeValue.fromM(
                Map.of(
                    TASKS, Items.of(child.tasks().toBytes()),
                    SENT, AttributeValue.fromBool(child.sent())))));
    return AttributeValue.fromM(byNumber);
  }

  private static SortedMap<Integer, Child> children(@Nullable AttributeValue value) {
    SortedMap<Integer, Child> children = new TreeMap<>();
    if (value != null && value.hasM()) {
      value
          .m()
          .forEach((k, child) ->
              children.put(
                  Integer.parseInt(k),
                  new Child(Positions.fromBytes(Items.bytes(child.m(), TASKS)), sent(child.m()))));
    }
    return children;
  }

  private static boolean sent(Map<String, AttributeValue> child) {
    @Nullable AttributeValue sent = child.get(SENT);
    return sent != null && Boolean.TRUE.equals(sent.bool());
  }
}
