package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RunStoreContract;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AwsRunStoreIT extends RunStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }

  @Test
  void run_that_expired_is_gone_though_its_item_was_not_removed_yet() {
    ManualTime time = new ManualTime();
    time.serviceAhead(System.currentTimeMillis() - ManualTime.BEGIN_MILLIS);
    RunStore runs =
        new AwsRunStore(
            ((AwsFixture) fixture()).cloud().clients().dynamo(),
            Names.runs(cluster().name()),
            time);
    long now = time.serviceMillis();
    RunEntry run =
        new RunEntry(
            "run",
            "epoch",
            RunEntry.State.OPEN,
            Consistency.EXACTLY_ONCE,
            "queue",
            "client",
            "host",
            now + 15_000,
            "",
            1,
            1,
            Map.of(),
            RemainingWork.UNKNOWN,
            now,
            now);
    assertThat(runs.create(run)).isTrue();
    time.advance(Duration.ofDays(15).minusMinutes(1));
    assertThat(runs.read("run")).contains(run);

    time.advance(Duration.ofMinutes(2));

    assertThat(runs.read("run")).isEmpty();
    RunEntry next = run.heldBy("other", "host", "queue", now + 30_000, now + 1);
    assertThat(runs.takeOver(next, run)).isFalse();
    assertThat(runs.cancel("run", now + 1)).isEmpty();
  }
}
