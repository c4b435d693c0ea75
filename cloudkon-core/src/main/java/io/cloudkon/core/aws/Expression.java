package io.cloudkon.core.aws;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A builder for a conditional write. Every attribute is named by a placeholder, because DynamoDB
 * reserves words such as state, owner and ttl. Not thread safe.
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

  /** A placeholder for a name that may be any text, such as a key within a map. */
  String name(String placeholder, String name) {
    names.put("#" + placeholder, name);
    return "#" + placeholder;
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

  /** Sets the value at a path of names. */
  Expression setPath(String path, String placeholder, AttributeValue value) {
    sets.add(path + "=" + value(placeholder, value));
    return this;
  }

  /** Sets an attribute if the item does not have it. */
  Expression setIfAbsent(String attribute, AttributeValue value) {
    String name = name(attribute);
    sets.add("%s=if_not_exists(%s,%s)".formatted(name, name, value(attribute, value)));
    return this;
  }

  /** Sets an attribute, or removes it if there is nothing to store. */
  Expression setOrRemove(String attribute, boolean nothing, AttributeValue value) {
    if (nothing) {
      removes.add(name(attribute));
      return this;
    }
    return set(attribute, value);
  }

  /** Adds one to a number. */
  Expression increment(String attribute) {
    return add(attribute, 1);
  }

  /** Adds to a number; a missing number counts as 0. */
  Expression add(String attribute, long more) {
    adds.add(name(attribute) + " " + value("add_" + attribute, Items.of(more)));
    return this;
  }

  /** Adds to a set; a missing set counts as empty. */
  Expression addToSet(String attribute, AttributeValue more) {
    adds.add(name(attribute) + " " + value("add_" + attribute, more));
    return this;
  }

  /** Sets the condition, which uses {@link #name} and {@link #value}. */
  Expression onlyIf(String required) {
    condition = required;
    return this;
  }

  /** The request. If it is accepted, it returns the new item; if it is refused, the current one. */
  UpdateItemRequest request(String table, String id) {
    UpdateItemRequest.Builder update =
        UpdateItemRequest.builder()
            .tableName(table)
            .key(Items.key(id))
            .updateExpression(changes())
            .expressionAttributeNames(names)
            .expressionAttributeValues(values)
            .returnValues(ReturnValue.ALL_NEW)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .returnConsumedCapacity(Items.CAPACITY);
    if (!condition.isEmpty()) {
      update.conditionExpression(condition);
    }
    return update.build();
  }

  /** The same update as a part of a transaction. */
  TransactWriteItem update(String table, String id) {
    Update.Builder update =
        Update.builder()
            .tableName(table)
            .key(Items.key(id))
            .updateExpression(changes())
            .expressionAttributeNames(names)
            .expressionAttributeValues(values)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!condition.isEmpty()) {
      update.conditionExpression(condition);
    }
    return TransactWriteItem.builder().update(update.build()).build();
  }

  /** A write of a whole item with this condition, as a part of a transaction. */
  TransactWriteItem put(String table, Map<String, AttributeValue> item) {
    Put.Builder put =
        Put.builder()
            .tableName(table)
            .item(item)
            .conditionExpression(condition)
            .expressionAttributeNames(names)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!values.isEmpty()) { // DynamoDB refuses an empty map of them
      put.expressionAttributeValues(values);
    }
    return TransactWriteItem.builder().put(put.build()).build();
  }

  /** A removal of an item with this condition, as a part of a transaction. */
  TransactWriteItem delete(String table, String id) {
    return TransactWriteItem.builder()
        .delete(b ->
            b.tableName(table)
                .key(Items.key(id))
                .conditionExpression(condition)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
        .build();
  }

  /** A removal of an item with this condition, as a single request. */
  DeleteItemRequest deleteRequest(String table, String id) {
    return DeleteItemRequest.builder()
        .tableName(table)
        .key(Items.key(id))
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnConsumedCapacity(Items.CAPACITY)
        .build();
  }

  private String changes() {
    StringBuilder update = new StringBuilder();
    append(update, "SET ", sets);
    append(update, "REMOVE ", removes);
    append(update, "ADD ", adds);
    return update.toString().strip();
  }

  private static void append(StringBuilder update, String word, List<String> parts) {
    if (!parts.isEmpty()) {
      update.append(word).append(String.join(",", parts)).append(' ');
    }
  }
}
