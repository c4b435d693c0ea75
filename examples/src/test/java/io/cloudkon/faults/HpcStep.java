package io.cloudkon.faults;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A step of the order in which a gang comes and goes (section 6 of the protocol), known by what a
 * worker's machines want done. Each is logged before it is done.
 */
enum HpcStep {
  RESERVE(Role.MANAGER, "OfLedger\\[call=Change\\[change=Admit\\["),
  CLAIM(Role.MANAGER, "OfBundle\\[.*=Acquire\\["),
  OFFER(Role.MANAGER, "Offer\\["),
  WELCOME(Role.MANAGER, "Welcome\\["),
  START(Role.MANAGER, "Start\\["),
  RUNNING(Role.MANAGER, "Start\\[", "Standing\\["),
  FIRST_ENDS(Role.MANAGER, "Start\\[", "Beat\\[.*ended=\\[Ended\\["),
  SETTLE(Role.MANAGER, "Settle\\["),
  SEND(Role.MANAGER, "OfBundle\\[.*SendResults\\["),
  DONE(Role.MANAGER, "OfBundle\\[.*state=DONE"),
  DELETE(Role.MANAGER, "OfBundle\\[.*DeleteMessage\\["),
  FREE(Role.MANAGER, "OfLedger\\[call=Change\\[change=Remove\\[.*kind=GANG.*swept=false"),

  DISSOLVE(Role.MANAGER_OF_TOO_FEW, "Offer\\[", "Dissolve\\["),
  GIVEN_BACK(Role.MANAGER_OF_TOO_FEW, "Dissolve\\[", "Rearm\\["),
  WAITING(Role.MANAGER_OF_TOO_FEW, "Rearm\\[", "OfLedger\\[call=PutWaiting\\["),

  REGISTER(Role.SUB_WORKER, "Register\\["),
  SEATED(Role.SUB_WORKER, "Register\\[", "DeleteOffers\\["),
  START_ANSWER(Role.SUB_WORKER, "StartAnswer\\[.*starts=true"),
  RANKS_RUN(Role.SUB_WORKER, "StartAnswer\\[.*starts=true", "Beat\\[.*ended=\\[\\]"),
  RANKS_END(Role.SUB_WORKER, "Beat\\[.*ended=\\[Ended\\["),
  FORGET(Role.SUB_WORKER, "StartAnswer\\[.*starts=true", "Forget\\["),

  DISSOLVED(Role.SUB_WORKER_OF_TOO_FEW, "DeleteOffers\\[", "Forget\\[");

  /** Who is to come to it. */
  enum Role {
    MANAGER,
    SUB_WORKER,
    /** Of a gang that does not fill, as tasks have the slots. */
    MANAGER_OF_TOO_FEW,
    SUB_WORKER_OF_TOO_FEW;

    boolean tooFew() {
      return switch (this) {
        case MANAGER_OF_TOO_FEW, SUB_WORKER_OF_TOO_FEW -> true;
        case MANAGER, SUB_WORKER -> false;
      };
    }

    /** Not that of a gang of its own. */
    boolean subWorker() {
      return switch (this) {
        case SUB_WORKER, SUB_WORKER_OF_TOO_FEW -> true;
        case MANAGER, MANAGER_OF_TOO_FEW -> false;
      };
    }
  }

  private final Role role;
  private final List<Pattern> effects;

  HpcStep(Role role, String... effects) {
    this.role = role;
    this.effects =
        Stream.of(effects).map(effect -> Pattern.compile(" GangMachines: " + effect)).toList();
  }

  Role role() {
    return role;
  }

  /** Whether whoever is struck here leaves a job whose ranks still run, or are to. */
  boolean ranksAreToRun() {
    return switch (this) {
      case RESERVE, CLAIM, OFFER, WELCOME, START, RUNNING -> true;
      case DISSOLVE, GIVEN_BACK, WAITING -> true;
      case REGISTER, SEATED, START_ANSWER, RANKS_RUN, DISSOLVED -> true;
      case FIRST_ENDS, SETTLE, SEND, DONE, DELETE, FREE, RANKS_END, FORGET -> false;
    };
  }

  /** One comes after the other, and with the last one the step. */
  List<Pattern> effects() {
    return effects;
  }
}
