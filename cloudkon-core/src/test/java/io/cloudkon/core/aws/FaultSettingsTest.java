package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FaultSettingsTest {

  @Test
  void parse_reads_every_key() {
    FaultSettings settings =
        FaultSettings.parse(
            "seed=7, fail=0.05,throttle=0.1,lose=0.02,delay=20ms,only=sqs.SendMessageBatch,"
                + "only=dynamodb,outage=sqs@10s+20s,outage=dynamodb@0s+1s,"
                + "halt=after:dynamodb.UpdateItem:decision/");

    assertThat(settings)
        .isEqualTo(
            new FaultSettings(
                7,
                0.05,
                0.1,
                0.02,
                Duration.ofMillis(20),
                Set.of("sqs.sendmessagebatch", "dynamodb"),
                List.of(
                    new FaultSettings.Outage("sqs", Duration.ofSeconds(10), Duration.ofSeconds(20)),
                    new FaultSettings.Outage("dynamodb", Duration.ZERO, Duration.ofSeconds(1))),
                new Halt(Halt.When.AFTER, "dynamodb.UpdateItem", "decision/")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "seed",
        "seed=x",
        "fail=2",
        "fail=-1",
        "fail=NaN",
        "lose=0.6,fail=0.6",
        "delay=5",
        "outage=sqs",
        "outage=iam@1s+1s",
        "outage=sqs+1s@1s",
        "halt=before",
        "halt=during:sqs.SendMessage",
        "halt=before:SendMessage",
        "sseed=3"
      })
  void parse_of_anything_else_is_a_usage_error(String text) {
    assertThatThrownBy(() -> FaultSettings.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("CLOUDKON_FAULTS: ");
  }

  @Test
  void outage_covers_its_service_and_its_time() {
    FaultSettings settings = FaultSettings.parse("outage=sqs@10s+20s");

    assertThat(settings.down("sqs", Duration.ofSeconds(9))).isFalse();
    assertThat(settings.down("sqs", Duration.ofSeconds(10))).isTrue();
    assertThat(settings.down("sqs", Duration.ofMillis(29_999))).isTrue();
    assertThat(settings.down("sqs", Duration.ofSeconds(30))).isFalse();
    assertThat(settings.down("dynamodb", Duration.ofSeconds(15))).isFalse();
  }

  @Test
  void only_names_operations_or_services() {
    FaultSettings settings = FaultSettings.parse("only=sqs.SendMessageBatch,only=dynamodb");

    assertThat(settings.concerns("sqs", "SendMessageBatch")).isTrue();
    assertThat(settings.concerns("sqs", "ReceiveMessage")).isFalse();
    assertThat(settings.concerns("dynamodb", "UpdateItem")).isTrue();
  }

  @Test
  void halt_names_a_moment_of_a_request_and_may_name_its_text() {
    Faults any = Faults.parse("halt=before:dynamodb.updateitem");
    Faults one = Faults.parse("halt=after:dynamodb.UpdateItem:decision/");
    CalledOperation update = new CalledOperation("dynamodb", "UpdateItem");

    assertThat(any.halts(Halt.When.BEFORE, update, () -> "any")).isTrue();
    assertThat(any.halts(Halt.When.AFTER, update, () -> "any")).isFalse();
    assertThat(any.halts(Halt.When.BEFORE, new CalledOperation("sqs", "UpdateItem"), () -> "any"))
        .isFalse();
    assertThat(one.halts(Halt.When.AFTER, update, () -> "{\"id\":\"decision/1\"}")).isTrue();
    assertThat(one.halts(Halt.When.AFTER, update, () -> "{\"id\":\"provisioner\"}")).isFalse();
    assertThat(Faults.onDemand().halts(Halt.When.BEFORE, update, () -> "any")).isFalse();
  }

  @Test
  void seed_decides_what_happens() {
    String text = "fail=0.2,throttle=0.2,lose=0.2,seed=";

    assertThat(fates(text + 5)).isEqualTo(fates(text + 5)).isNotEqualTo(fates(text + 6));
    assertThat(fates(text + 5)).contains(Faults.Fate.values());
  }

  private static List<Faults.Fate> fates(String text) {
    Faults faults = Faults.parse(text);
    List<Faults.Fate> fates = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      fates.add(faults.decide("sqs", "ReceiveMessage"));
    }
    return fates;
  }

  @Test
  void service_that_is_taken_down_fails_until_it_is_brought_up() {
    Faults faults = Faults.onDemand();
    assertThat(faults.decide("sqs", "X")).isEqualTo(Faults.Fate.REACH);

    faults.takeDown("sqs");
    assertThat(faults.decide("sqs", "X"))
        .isIn(Faults.Fate.REFUSED_CONNECTION, Faults.Fate.UNAVAILABLE);
    assertThat(faults.decide("dynamodb", "X")).isEqualTo(Faults.Fate.REACH);

    faults.bringUp("sqs");
    assertThat(faults.decide("sqs", "X")).isEqualTo(Faults.Fate.REACH);
  }
}
