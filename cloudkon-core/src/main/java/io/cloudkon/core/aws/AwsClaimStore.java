package io.cloudkon.core.aws;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Claims in DynamoDB. It expresses {@link io.cloudkon.core.protocol.claim.ClaimRules} in condition
 * expressions; the contract suite verifies that both agree.
 */
final class AwsClaimStore implements ClaimStore {
  /**
   * The end of the key of the item that counts the sick workers that gave a bundle back, and the
   * prefix of each worker's attribute in it.
   */
  private static final String SICK = "/sick/";

  private final DynamoDbClient dynamo;
  private final String table;

  AwsClaimStore(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public ClaimAnswer acquire(Acquisition by) {
    ClaimState state = by.mode() == Acquisition.Mode.LOSING ? ClaimState.LOSING : ClaimState.LEASED;
    Expression update =
        new Expression()
            .set(ClaimItems.STATE, Items.of(state.name()))
            .set(ClaimItems.OWNER, Items.of(by.owner()))
            .set(ClaimItems.NONCE, Items.of(by.nonce()))
            .set(ClaimItems.LEASE_END, Items.of(by.leaseEnd()))
            .set(ClaimItems.SEQ, Items.of(0))
            .set(Items.TTL, Items.of(by.ttl()))
            .setIfAbsent(ClaimItems.RELEASES, Items.of(0))
            // Every item has this attribute from its creation on, whether empty or not.
            .setIfAbsent(ClaimItems.STARTED, Items.of(by.started().toBytes()))
            .increment(ClaimItems.ATTEMPT);
    return send(update.onlyIf(mayAcquire(update, by)), by.id());
  }

  private static String mayAcquire(Expression in, Acquisition by) {
    return switch (by.mode()) {
      case TAKE_OVER ->
          "%s OR (%s AND (%s OR (%s AND %s)))"
              .formatted(
                  absent(in),
                  anotherNonce(in, by),
                  is(in, ClaimState.RELEASED),
                  is(in, ClaimState.LEASED),
                  expired(in, by));
      case FRESH ->
          "%s OR (%s AND %s)"
              .formatted(absent(in), anotherNonce(in, by), is(in, ClaimState.RELEASED));
      case LOSING ->
          "%s AND (%s OR %s) AND %s AND %s=%s"
              .formatted(
                  anotherNonce(in, by),
                  is(in, ClaimState.LEASED),
                  is(in, ClaimState.LOSING),
                  expired(in, by),
                  in.name(ClaimItems.ATTEMPT),
                  in.value("expectedAttempt", Items.of(by.expectedAttempt())));
    };
  }

  private static String absent(Expression in) {
    return "attribute_not_exists(%s)".formatted(in.name(Items.ID));
  }

  /** Excludes a delayed copy of an acquisition that has taken effect. */
  private static String anotherNonce(Expression in, Acquisition by) {
    return "%s<>%s"
        .formatted(in.name(ClaimItems.NONCE), in.value(ClaimItems.NONCE, Items.of(by.nonce())));
  }

  private static String is(Expression in, ClaimState state) {
    return "%s=%s"
        .formatted(in.name(ClaimItems.STATE), in.value(state.name(), Items.of(state.name())));
  }

  private static String expired(Expression in, Acquisition by) {
    return "%s<%s"
        .formatted(
            in.name(ClaimItems.LEASE_END), in.value("expiredBefore", Items.of(by.expiredBefore())));
  }

  @Override
  public ClaimAnswer write(ClaimWrite by) {
    Expression update =
        new Expression()
            .set(ClaimItems.STATE, Items.of(by.state().name()))
            .set(ClaimItems.SEQ, Items.of(by.seq()))
            .set(ClaimItems.LEASE_END, Items.of(by.leaseEnd()))
            .set(ClaimItems.RELEASES, Items.of(by.releases()))
            .set(Items.TTL, Items.of(by.ttl()))
            .set(ClaimItems.STARTED, Items.of(by.started().toBytes()))
            .setOrRemove(ClaimItems.DONE, by.done().isEmpty(), Items.of(by.done().toBytes()))
            .setOrRemove(
                ClaimItems.CHILDREN, by.children().isEmpty(), ClaimItems.encode(by.children()));
    return send(update.onlyIf(stillOwns(update, by)), by.id());
  }

  private static String stillOwns(Expression in, ClaimWrite by) {
    return "%s=%s AND %s=%s AND %s=%s AND %s<%s"
        .formatted(
            in.name(ClaimItems.STATE),
            in.value("expected", Items.of(by.expected().name())),
            in.name(ClaimItems.ATTEMPT),
            in.value(ClaimItems.ATTEMPT, Items.of(by.attempt())),
            in.name(ClaimItems.NONCE),
            in.value(ClaimItems.NONCE, Items.of(by.nonce())),
            in.name(ClaimItems.SEQ),
            in.value(ClaimItems.SEQ, Items.of(by.seq())));
  }

  @Override
  public ClaimAnswer survive(String id, int attempt) {
    Expression update =
        new Expression().addToSet(ClaimItems.SURVIVED, ClaimItems.attempts(Positions.of(attempt)));
    String known =
        "%s>=%s AND %s<>%s"
            .formatted(
                update.name(ClaimItems.ATTEMPT),
                update.value(ClaimItems.ATTEMPT, Items.of(attempt)),
                update.name(ClaimItems.STATE),
                update.value(ClaimState.DONE.name(), Items.of(ClaimState.DONE.name())));
    return send(update.onlyIf(known), id);
  }

  private ClaimAnswer send(Expression update, String id) {
    return AwsCall.table("UpdateItem", table)
        .make(() -> {
          try {
            return new ClaimAnswer.Accepted(
                ClaimItems.decode(dynamo.updateItem(update.request(table, id)).attributes()));
          } catch (ConditionalCheckFailedException e) {
            return new ClaimAnswer.Refused(
                e.hasItem() && !e.item().isEmpty() ? ClaimItems.decode(e.item()) : null);
          }
        });
  }

  @Override
  public int noteSick(String id, String worker, long ttl) {
    Expression update = new Expression().set(Items.TTL, Items.of(ttl));
    update.setPath(update.name("worker", SICK + worker), "worker", Items.of(ttl));
    return AwsCall.table("UpdateItem", table)
        .make(() ->
            (int)
                dynamo.updateItem(update.request(table, id + SICK)).attributes().keySet().stream()
                    .filter(name -> name.startsWith(SICK))
                    .count());
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    Map<String, Claim> claims = HashMap.newHashMap(ids.size());
    if (!ids.isEmpty()) {
      Tables.batch(
          dynamo,
          table,
          ids,
          item -> claims.put(Items.text(item, Items.ID), ClaimItems.decode(item)));
    }
    return claims;
  }
}
