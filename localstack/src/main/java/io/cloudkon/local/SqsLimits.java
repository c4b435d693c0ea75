package io.cloudkon.local;

import java.util.ArrayList;
import java.util.Collections;
import org.elasticmq.Limit;
import org.elasticmq.LimitedValue;
import org.elasticmq.Limits;
import org.elasticmq.RangeLimit;
import org.elasticmq.StrictSQSLimits$;
import scala.collection.immutable.List;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigDecimal;

/**
 * The limits of SQS itself: batches of ten, waits of 20 s, messages and batches of 1 MiB, legal
 * characters.
 *
 * <p>These are ElasticMQ's strict limits. Only the order in which each character of a body is
 * compared with the legal ranges is changed, so that the range of ordinary text comes first: in the
 * original order, this check is a third of the cost of sending a large body.
 */
final class SqsLimits implements Limits {
  private final Limits strict = StrictSQSLimits$.MODULE$;
  private final Limit<List<RangeLimit<Object>>> characters =
      switch (strict.bodyValidCharactersLimit()) {
        case LimitedValue<List<RangeLimit<Object>>> ranges -> textFirst(ranges.value());
        case Limit<List<RangeLimit<Object>>> other -> other;
      };

  /**
   * Moves the range of ordinary text to the front; ElasticMQ's order starts with tab, newline and
   * return.
   */
  private static Limit<List<RangeLimit<Object>>> textFirst(List<RangeLimit<Object>> ranges) {
    ArrayList<RangeLimit<Object>> turned = new ArrayList<>(CollectionConverters.asJava(ranges));
    Collections.rotate(turned, -3);
    return new LimitedValue<>(CollectionConverters.asScala(turned).toList());
  }

  @Override
  public Limit<List<RangeLimit<Object>>> bodyValidCharactersLimit() {
    return characters;
  }

  @Override
  public Limit<Object> queueNameLengthLimit() {
    return strict.queueNameLengthLimit();
  }

  @Override
  public Limit<Object> batchSizeLimit() {
    return strict.batchSizeLimit();
  }

  @Override
  public Limit<RangeLimit<Object>> numberOfMessagesLimit() {
    return strict.numberOfMessagesLimit();
  }

  @Override
  public Limit<Object> nonEmptyAttributesLimit() {
    return strict.nonEmptyAttributesLimit();
  }

  @Override
  public Limit<RangeLimit<BigDecimal>> numberAttributeValueLimit() {
    return strict.numberAttributeValueLimit();
  }

  @Override
  public Limit<RangeLimit<Object>> messageWaitTimeLimit() {
    return strict.messageWaitTimeLimit();
  }

  @Override
  public Limit<Object> maxMessageLength() {
    return strict.maxMessageLength();
  }

  @Override
  public Limit<Object> messageAttributesLimit() {
    return strict.messageAttributesLimit();
  }
}
