package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seeds that once broke a promise, and what was wrong then. A seed tells what it told for as long
 * as chaos draws as it did, and so without faults that came later.
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
    "18302, EXACTLY_ONCE, a client learned of a cancel before it had made its queue and settled"
        + " the run into no journal",
    "39555, EXACTLY_ONCE, claims that came while the lease was not certain were dropped and not"
        + " read again for twenty minutes",
    "23866, AT_LEAST_ONCE, the simulation ended while a former client had taken its run back",
    "10013, AT_MOST_ONCE, likewise",
    "39938, AT_MOST_ONCE, results that came while the lease was not certain were dropped, and"
        + " LOST when they were hidden",
    "40110, AT_MOST_ONCE, likewise",
    "42358, AT_MOST_ONCE, likewise",
    "52679, AT_MOST_ONCE, likewise",
    "50720, AT_MOST_ONCE, a LOST that was left in the bucket was taken for a result",
    "67137, AT_MOST_ONCE, likewise",
    "76957, AT_MOST_ONCE, likewise",
    "91225, AT_MOST_ONCE, likewise",
    "84184, AT_MOST_ONCE, a result that was accepted after the last receive was taken for seen",
    "59002, AT_MOST_ONCE, a settled run whose results were in no journal was settled again",
    "72423, AT_MOST_ONCE, likewise",
    "3090, AT_MOST_ONCE, a client that died as it ended a run while its queue was moving left the"
        + " former one",
    "3985, AT_MOST_ONCE, the checker took a bundle that was taken over six times for given up",
    "70502, AT_LEAST_ONCE, a settled run whose next client died as it took it stayed held",
    "592, EXACTLY_ONCE, a cancelled run with results that its client does not see any more",
  })
  void seed_that_failed_keeps_the_promises_now(long seed, Consistency mode, String what) {
    Chaos chaos = Chaos.of(seed, mode);
    Outcome unused = Simulation.run(chaos.setup(), chaos.script());
  }
}
