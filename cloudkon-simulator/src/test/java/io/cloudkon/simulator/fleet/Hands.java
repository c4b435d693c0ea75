package io.cloudkon.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.TestWorld;
import java.util.ArrayList;
import java.util.List;

/** Bundles as workers receive them. */
final class Hands {
  private Hands() {}

  /** A hand with a bundle of all these tasks, which really went through the request queue. */
  static SimBundle with(Tasks tasks, TestWorld at) {
    SimProcess process = at.process("carrier");
    Request request = at.request(tasks);
    List<Delivery<Request>> received = new ArrayList<>();
    at.world().cloud().requests().send(process, List.of(request), sent -> {});
    at.pass(TestWorld.MILLI * 3);
    long begun = at.now();
    at.world()
        .cloud()
        .requests()
        .receive(
            process,
            1,
            0,
            TestWorld.SECOND,
            got -> {
              assertThat(got).isNotNull();
              received.addAll(got);
            });
    at.pass(TestWorld.MILLI * 3);
    return new SimBundle(7, received.getFirst(), "n1", begun, at.now());
  }
}
