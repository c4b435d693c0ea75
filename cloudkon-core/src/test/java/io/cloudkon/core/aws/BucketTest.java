package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BucketTest {
  private static final String QUEUE_URL = "https://sqs.eu-west-1.amazonaws.com/123456789012/Q";

  @ParameterizedTest
  @CsvSource({
    "https://sqs.eu-west-1.amazonaws.com/123456789012/Q, 123456789012",
    "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/Q-hpc, 123456789012",
    "http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/Q, 000000000000",
    "http://127.0.0.1:9324/000000000000/Q, 000000000000",
    "http://127.0.0.1:9324/queue/Q, 000000000000",
    "http://127.0.0.1:9324/Q, 000000000000"
  })
  void by_default_it_is_the_accounts_own(String queueUrl, String account) {
    assertThat(Bucket.byDefault().in(() -> queueUrl, "eu-west-1"))
        .isEqualTo(new Bucket("cloudkon-" + account + "-eu-west-1", account, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "my-bucket.2", "0a0", "a.b.c", "1.2.3"})
  void named_takes_what_s3_takes(String name) {
    assertThat(Bucket.named(name).in(() -> QUEUE_URL, "eu-west-1"))
        .isEqualTo(new Bucket(name, "123456789012", name));
  }

  @Test
  void named_with_an_account_is_that_accounts() {
    Bucket theirs = Bucket.named("mine@210987654321").in(() -> fail("asked"), "eu-west-1");

    assertThat(theirs).isEqualTo(new Bucket("mine", "210987654321", "mine@210987654321"));
    assertThat(theirs.setupOptions("Q")).isEqualTo("-s Q --bucket mine@210987654321");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mine@", "mine@123", "mine@me", "mine@1234567890123"})
  void named_refuses_what_is_no_account(String option) {
    assertThatThrownBy(() -> Bucket.named(option))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("illegal bucket '%s': expected an account of 12 digits", option);
  }

  @Test
  void named_takes_63_characters_and_no_more() {
    assertThat(Bucket.named("a".repeat(63)).in(() -> QUEUE_URL, "eu-west-1").isDefault()).isFalse();
    assertThatThrownBy(() -> Bucket.named("a".repeat(64))).isInstanceOf(UsageException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ab",
        "Abc",
        "a_b",
        "-ab",
        "ab-",
        ".ab",
        "ab.",
        "a..b",
        "192.168.5.4",
        "xn--ab",
        "sthree-ab",
        "amzn-s3-demo-ab",
        "ab-s3alias",
        "ab--ol-s3",
        "ab.mrap",
        "ab--x-s3",
        "ab--table-s3",
        "a b",
        "é-bucket",
        "s3://abc",
        "a/b"
      })
  void named_refuses_what_s3_refuses(String name) {
    assertThatThrownBy(() -> Bucket.named(name))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("illegal bucket '%s': expected 3 to 63 lower-case letters", name);
  }
}
