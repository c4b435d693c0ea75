package io.cloudkon.hpc.rmi;

/** The stub of a gang's manager on another worker. */
record ManagerStub(Stubs stubs, Address address, String secret) implements ManagerPort {

  @Override
  public Welcome register(String gang, Registration registration) {
    Check.token("gang", gang);
    return stubs.call(
        address,
        "register",
        0,
        1,
        remotes -> remotes.register(gang, registration.tickets()[0], registration));
  }

  @Override
  public Standing report(String gang, Report report) {
    Check.token("gang", gang);
    return stubs.call(
        address, "report", report.payload(), 1, remotes -> remotes.report(gang, secret, report));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "manager at " + address;
  }
}
