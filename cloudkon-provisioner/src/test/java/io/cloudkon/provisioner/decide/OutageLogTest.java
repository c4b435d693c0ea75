package io.cloudkon.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a provisioner logs while a service is away: an alarm of the stack counts the lines. */
class OutageLogTest {
  private static final int HOUR = (int) (Duration.ofHours(1).toMillis() / ProvisionerBed.INTERVAL);

  private final ProvisionerBed bed = new ProvisionerBed();
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private long told() {
    return said.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("nothing is launched: ") && line.endsWith("; trying again"))
        .count();
  }

  @Test
  void outage_that_lasts_is_told_every_five_minutes() {
    ProvisionerService provisioner = bed.provisioner("p");
    bed.steps(provisioner, 1);
    bed.faults.always(Operation.RUN_LIST, Fate.THROTTLED);

    bed.steps(provisioner, HOUR);

    assertThat(told()).isEqualTo(12);
  }
}
