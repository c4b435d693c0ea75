package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.protocol.health.Sickness;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which refusals make a worker sick. */
class RefusedServicesTest {
  private final List<Sickness> sicknesses = new ArrayList<>();
  private final List<Runnable> io = new ArrayList<>();
  private final RefusedServices services =
      new RefusedServices(
          "Q",
          (suspicion, probe) -> {
            sicknesses.add(suspicion);
            return true;
          },
          io::add);

  private void refuse(String action, String kind, String resource) {
    services.refused(
        new RefusedException(action, kind, resource, "HTTP 403 AccessDenied", null), () -> {});
  }

  private void runIo() {
    List<Runnable> now = List.copyOf(io);
    io.clear();
    now.forEach(Runnable::run);
  }

  @ParameterizedTest
  @CsvSource({
    "sqs:ReceiveMessage, queue, Q",
    "sqs:ReceiveMessage, queue, Q-hpc",
    "sqs:SendMessage, queue, Q-ranks",
    "dynamodb:UpdateItem, table, Q-claims"
  })
  void worker_is_sick_that_may_not_do_what_none_can_do_without(
      String action, String kind, String resource) {
    refuse(action, kind, resource);
    runIo();

    assertThat(sicknesses)
        .containsExactly(new Sickness.Service("%s on %s '%s'".formatted(action, kind, resource)));
  }

  @ParameterizedTest
  @CsvSource({
    "sqs:SendMessage, queue, Q-response-c",
    "sqs:SendMessage, queue, Q-dead",
    "s3:GetObject, bucket, bucket/Q/*",
    "dynamodb:PutItem, table, Q-workers",
    "dynamodb:GetItem, table, Q-runs"
  })
  void any_other_refusal_leaves_it_well(String action, String kind, String resource) {
    refuse(action, kind, resource);

    assertThat(io).isEmpty();
  }

  @Test
  void hundreds_of_refusals_are_looked_into_once_at_a_time() {
    for (int i = 0; i < 100; i++) {
      refuse("dynamodb:UpdateItem", "table", "Q-claims");
    }
    assertThat(io).hasSize(1);
    runIo();

    refuse("dynamodb:UpdateItem", "table", "Q-claims");
    assertThat(io).hasSize(1);
  }
}
