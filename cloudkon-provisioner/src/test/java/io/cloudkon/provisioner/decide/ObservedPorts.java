package io.cloudkon.provisioner.decide;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.FaultPlan;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.InstanceLauncher;
import java.util.Map;

/** What a provisioner calls, where each call tells which moment of a decision it is. */
record ObservedPorts(HaltPoint.Reached reached) {

  /** The cluster, whose table hears of the decision and of what came of it. */
  Cluster cluster(Cluster cluster) {
    FaultPlan plan =
        new FaultPlan() {
          @Override
          public Fate fate(Operation operation) {
            return Fate.CARRIED_OUT;
          }

          @Override
          public void after(Operation operation) {
            if (operation == Operation.DECISION_INTEND) {
              reached.reached(HaltPoint.AFTER_INTENT);
            } else if (operation == Operation.DECISION_UPDATE) {
              reached.reached(HaltPoint.AFTER_RECORD);
            }
          }
        };
    return new UnreliableCluster(cluster, plan).cluster();
  }

  /** The launcher, which is asked what goes into a decision right before that is written. */
  InstanceLauncher launcher(InstanceLauncher launcher) {
    return new ForwardingLauncher(launcher) {
      @Override
      public Map<String, String> request() {
        Map<String, String> request = super.request();
        reached.reached(HaltPoint.BEFORE_INTENT);
        return request;
      }

      @Override
      public Launch launch(String token, int count, Map<String, String> request) {
        Launch launch = super.launch(token, count, request);
        reached.reached(HaltPoint.AFTER_CALL);
        return launch;
      }
    };
  }
}
