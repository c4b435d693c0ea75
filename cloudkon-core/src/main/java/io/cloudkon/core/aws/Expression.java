package io.cloudkon.core.aws;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * One conditional update, as it is put together. Every attribute is named through a placeholder, as
 * DynamoDB reserves words such as state, owner and ttl. Not thread safe.
 */
final class Expression {
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final List<String> sets = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();
  private final List<String> adds = new ArrayList<>();
  private String condition = "";

  /** The placeholder of an attribute's name. */
  String name(String attribute) {
    names.put("#" + attribute, attribute);
    return "#" + attribute;
  }

  /** The placeholder of a value. */
  String value(String placeholder, AttributeValue value) {
    values.put(":" + placeholder, value);
    return ":" + placeholder;
  }

  /** Sets an attribute. */
  Expression set(String attribute, AttributeValue value) {
    sets.add(name(attribute) + "=" + value(attribute, value));
    return this;
  }

  /** Sets an attribute where the item has none. */
  Expression setIfAbsent(String attribute, AttributeValue value) {
    String name = name(attribute);
    sets.add("%s=if_not_exists(%s,%s)".formatted(name, name, value(attribute, value)));
    return this;
  }

  /** Sets an attribute, or removes it where there is nothing to store. */
  Expression setOrRemove(String attribute, boolean nothing, AttributeValue value) {
    if (nothing) {
      removes.add(name(attribute));
      return this;
    }
    return set(attribute, value);
  }

  /** Adds one to a number. */
  Expression increment(String attribute) {
    adds.add(name(attribute) + " " + value("one", Items.of(1)));
    return this;
  }

  /** The condition, made of {@link #name} and {@link #value}. */
  Expression onlyIf(String required) {
    condition = required;
    return this;
  }

  /**
   * The request; an accepted one returns the item after it, a refused one the item as it stands.
   */
  UpdateItemRequest request(String table, String id) {
    StringBuilder update = new StringBuilder();
    append(update, "SET ", sets);
    append(update, "REMOVE ", removes);
    append(update, "ADD ", adds);
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(Items.key(id))
        .updateExpression(update.toString().strip())
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnValues(ReturnValue.ALL_NEW)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .returnConsumedCapacity(Items.CAPACITY)
        .build();
  }

  private static void append(StringBuilder update, String word, List<String> parts) {
    if (!parts.isEmpty()) {
      update.append(word).append(String.join(",", parts)).append(' ');
    }
  }
}
