package io.cloudkon.core.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PricesTest {
  private final Prices prices = Prices.list();

  @Test
  void list_is_dated_and_as_published() {
    assertThat(prices)
        .isEqualTo(new Prices("2026-06-17", "us-east-1", 0.40, 0.625, 0.125, 5.00, 0.40));
  }

  @Test
  void cost_counts_units_not_calls() {
    List<Calls> calls =
        List.of(
            new Calls("sqs.SendMessageBatch", 1, 2_000_000),
            new Calls("dynamodb.UpdateItem", 1, 1_000_000),
            new Calls("dynamodb.BatchGetItem", 1, 4_000_000),
            new Calls("s3.PutObject", 1_000, 1_000),
            new Calls("s3.ListObjectsV2", 1_000, 1_000),
            new Calls("s3.GetObject", 1_000_000, 1_000_000),
            new Calls("s3.DeleteObjects", 1_000_000, 1_000_000),
            new Calls("other.Thing", 1, 1_000_000));

    assertThat(prices.cost(calls))
        .isEqualTo(0.80 + 0.625 + 0.50 + 0.005 + 0.005 + 0.40, within(1e-9));
  }

  @Test
  void cost_of_the_originals_design_is_about_what_was_published() {
    // a million tasks: sent, received and deleted in tens, on both queues; one conditional write
    // each
    List<Calls> calls =
        List.of(
            new Calls("sqs.Any", 600_000, 600_000),
            new Calls("dynamodb.PutItem", 1_000_000, 1_000_000));

    assertThat(prices.cost(calls)).isEqualTo(0.9, within(0.05));
  }

  @Test
  void list_names_the_pages_that_its_prices_are_from() {
    assertThat(new PriceFile().text("source").split(" "))
        .hasSize(4)
        .allMatch(page -> page.startsWith("https://aws.amazon.com/"));
  }
}
