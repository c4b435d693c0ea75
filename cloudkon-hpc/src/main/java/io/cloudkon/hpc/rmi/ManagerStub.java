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
    return report(gang, report, 1);
  }

  @Override
  public Standing report(String gang, Report report, int times) {
    Check.token("gang", gang);
    Check.that(times > 0, "times: 1 or more");
    return stubs.call(
        address,
        "report",
        report.payload(),
        times,
        remotes -> remotes.report(gang, secret, report));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "manager at " + address;
  }
}
