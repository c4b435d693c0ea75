package io.cloudkon.hpc.rmi;

/** One message of each kind. */
final class Messages {
  static final Address HERE = new Address("127.0.0.1", 4711);

  /** Of every gang. */
  static final String GANGS_SECRET = Secrets.fresh();

  static final Registration REGISTRATION =
      new Registration(
          "w2",
          HERE,
          new int[] {0, 2},
          new String[] {Secrets.ticket(GANGS_SECRET, 0), Secrets.ticket(GANGS_SECRET, 2)},
          "own-secret-of-w2");
  static final KillRanks KILL = new KillRanks("run/7", 2);
  static final RankMessage MESSAGE = new RankMessage("run/7", 2, 0, 1, new byte[] {1, 2, 3});
  static final StartRanks START =
      new StartRanks(
          "run/7",
          2,
          3,
          new int[] {0, 2},
          new byte[] {9, 8},
          new Address[] {HERE, new Address("fe80::1", 1), HERE},
          new String[] {"pass-0", "pass-1", "pass-2"},
          new String[] {"line 0", "line 2"});
  static final RankEnd END =
      new RankEnd(
          "run/7",
          2,
          1,
          "FAILED",
          3,
          new byte[] {1},
          10,
          new byte[] {2, 3},
          2,
          new byte[0],
          0,
          "exit code 3",
          1000,
          2000,
          true);
  static final Report REPORT = new Report("w1", new RankEnd[] {END}, false);

  private Messages() {}
}
