package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.chaos.ChaosRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seeds that once broke a promise, and what was wrong then. A seed tells what it told for as long
 * as chaos draws as it did.
 */
class RegressionSeedsTest {

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource({
    "117, EXACTLY_ONCE, a run that was let go was renewed once more and stayed held",
    "178, EXACTLY_ONCE, likewise with a cancel",
    "278, AT_LEAST_ONCE, likewise without claims",
    "1650, AT_MOST_ONCE, a client stopped right after it took a run over wrote past its lease",
    "855, EXACTLY_ONCE, a client that lost its run while it settled a cancel settled it all the"
        + " same",
    "2538, EXACTLY_ONCE, a settled run resumed, with tasks that were cancelled before any bundle",
    "8472, EXACTLY_ONCE, a cancel between a run's publication and the answer to it went unnoticed",
    "19261, EXACTLY_ONCE, a client made the queue of a run that it had settled as cancelled",
    "36041, AT_MOST_ONCE, likewise",
    "592, EXACTLY_ONCE, a cancelled run with results that its client does not see any more",
  })
  void seed_that_failed_keeps_the_promises_now(long seed, Consistency mode, String what) {
    Outcome unused = ChaosRun.run(seed, mode, null);
  }
}
