package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.client.plan.Observation.Volume;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BillTest {
  private static Bill bill(double makespan, WorkloadSize load) {
    return bill(makespan, load, 60);
  }

  private static Bill bill(double makespan, WorkloadSize load, long idleSeconds) {
    Map<String, Volume> calls =
        Map.of(
            "sqs.SendMessageBatch", new Volume(10, 20),
            "dynamodb.UpdateItem", new Volume(5, 5));
    Observation seen = new Observation(makespan, calls, 0, 0, 0, 0, 0);
    return Bill.of(seen, load, 10, Made.question(idleSeconds), Made.PRICES);
  }

  @Test
  void instances_are_paid_for_the_run_and_for_being_idle() {
    assertThat(bill(5, Made.load(1, 1, 1)).instanceSeconds()).isEqualTo(65);
    assertThat(bill(100.5, Made.load(1, 1, 1)).instanceSeconds()).isEqualTo(161);
    // 10 of them, 3.6 USD an hour each
    assertThat(bill(100.5, Made.load(1, 1, 1)).instances()).isEqualTo(1.61, within(1e-9));
  }

  @Test
  void instances_are_paid_for_a_minute_at_least() {
    Bill soon = bill(5, Made.load(1, 1, 1), 10);
    assertThat(soon.instanceSeconds()).isEqualTo(60);
    // A worker stays until then: every 5 s for 60 s, and at the begin; and three long polls.
    assertThat(soon.calls()).containsEntry("dynamodb.PutItem", new Volume(130, 130));
    assertThat(soon.calls()).containsEntry("sqs.ReceiveMessage", new Volume(30, 30));
    assertThat(bill(55, Made.load(1, 1, 1), 10).instanceSeconds()).isEqualTo(65);
  }

  @Test
  void calls_are_those_of_the_simulation_and_the_workers_own() {
    Bill bill = bill(40, Made.load(1, 1, 1));

    // every 5 s for 100 s, and at the begin; and three long polls while idle
    assertThat(bill.calls()).containsEntry("dynamodb.PutItem", new Volume(210, 210));
    assertThat(bill.calls()).containsEntry("dynamodb.DeleteItem", new Volume(10, 10));
    assertThat(bill.calls()).containsEntry("sqs.ReceiveMessage", new Volume(30, 30));
    assertThat(bill.sqs()).isEqualTo((20 + 30) * 1e-6, within(1e-12));
    assertThat(bill.dynamodb()).isEqualTo((5 + 210 + 10) * 2e-6, within(1e-12));
    assertThat(bill.s3()).isZero();
    assertThat(bill.total()).isEqualTo(bill.allCalls() + bill.instances());
  }

  @Test
  void large_tasks_are_put_into_the_bucket_and_fetched() {
    WorkloadSize plain = Made.load(10, 1, 1);
    WorkloadSize load = new WorkloadSize("x", 10, 0, 1, 1, 4, plain.sample());

    assertThat(bill(40, load).s3()).isEqualTo(4 * 4e-6 + 4 * 5e-6, within(1e-12));
  }
}
