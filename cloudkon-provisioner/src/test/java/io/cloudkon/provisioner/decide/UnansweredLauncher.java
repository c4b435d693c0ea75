package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.TransientServiceException;
import java.util.Map;

/** A launcher whose launches are never answered, while everything else works. */
final class UnansweredLauncher extends ForwardingLauncher {
  private int asked;

  UnansweredLauncher(InstanceLauncher launcher) {
    super(launcher);
  }

  /** How many launches were asked for. */
  int asked() {
    return asked;
  }

  @Override
  public Launch launch(String token, int count, Map<String, String> request) {
    asked++;
    throw new TransientServiceException("EC2 had an error of its own", null);
  }
}
