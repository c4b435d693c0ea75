package io.cloudkon.provisioner.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProvisionerMetricsTest {
  private static final Fleet FLEET =
      new Fleet(5, 3, 1, 1, "why", Map.of("boot-timeout", 2L), 1.5, 0.25, 10);

  @Test
  void scrape_shows_the_fleet_of_the_leader() {
    try (ProvisionerMetrics metrics = new ProvisionerMetrics(() -> FLEET, () -> true)) {
      assertThat(metrics.scrape().lines())
          .contains(
              "cloudkon_provisioner_wanted_workers 5.0",
              "cloudkon_provisioner_live_workers 3.0",
              "cloudkon_provisioner_booting_workers 1.0",
              "cloudkon_provisioner_usd_per_hour 1.5",
              "cloudkon_provisioner_spent_usd 0.25",
              "cloudkon_provisioner_leader 1.0",
              "cloudkon_provisioner_failures{reason=\"boot-timeout\"} 2.0");
    }
  }

  @Test
  void scrape_of_one_that_waits_for_the_lease_shows_zeros() {
    try (ProvisionerMetrics metrics = new ProvisionerMetrics(() -> FLEET, () -> false)) {
      assertThat(metrics.scrape().lines())
          .contains(
              "cloudkon_provisioner_wanted_workers 0.0",
              "cloudkon_provisioner_live_workers 0.0",
              "cloudkon_provisioner_leader 0.0");
    }
  }
}
