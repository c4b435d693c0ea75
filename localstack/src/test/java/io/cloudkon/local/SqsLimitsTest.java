package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.elasticmq.Limits;
import org.elasticmq.StrictSQSLimits$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqsLimitsTest {
  private final SqsLimits limits = new SqsLimits();

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 8, 9, 10, 11, 13, 14, 0x1f, 0x20, 'a', 0x7f, 0xd7ff, 0xe000, 0xfffd, 0xfffe, 0xffff,
        0x10000, 0x10ffff
      })
  void character_is_legal_where_sqs_says_so(int codePoint) {
    String body = "a" + Character.toString(codePoint);
    assertThat(Limits.verifyMessageBody(body, limits).isRight())
        .isEqualTo(Limits.verifyMessageBody(body, StrictSQSLimits$.MODULE$).isRight());
  }

  @Test
  void message_may_have_one_mebibyte_and_no_more() {
    String longest = "x".repeat(1024 * 1024);
    assertThat(Limits.verifyMessageBody(longest, limits).isRight()).isTrue();
    assertThat(Limits.verifyMessageBody(longest + "x", limits).isLeft()).isTrue();
  }

  @Test
  void batch_may_have_ten_entries_and_no_more() {
    assertThat(Limits.verifyBatchSize(10, limits).isRight()).isTrue();
    assertThat(Limits.verifyBatchSize(11, limits).isLeft()).isTrue();
  }
}
