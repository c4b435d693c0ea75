package io.cloudkon.core.aws;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Nearest;
import io.cloudkon.core.error.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link Faults} was asked for; its keys are explained there. */
record FaultSettings(
    long seed,
    double fail,
    double throttle,
    double lose,
    Duration delay,
    Set<String> only,
    List<Outage> outages,
    @Nullable Halt halt) {
  static final FaultSettings NONE =
      new FaultSettings(1, 0, 0, 0, Duration.ZERO, Set.of(), List.of(), null);
  private static final Set<String> KEYS =
      Set.of("seed", "fail", "throttle", "lose", "delay", "only", "outage", "halt");
  private static final Set<String> SERVICES = Set.of("sqs", "dynamodb", "s3", "ec2");

  FaultSettings {
    only = Set.copyOf(only);
    outages = List.copyOf(outages);
    if (fail + throttle + lose > 1) {
      throw wrong("fail, throttle and lose together are more than 1");
    }
  }

  /** A time in which all of a service fails. */
  record Outage(String service, Duration from, Duration length) {
    static Outage parse(String text) {
      int at = text.indexOf('@');
      int plus = text.indexOf('+');
      if (at < 0 || plus < at || !SERVICES.contains(text.substring(0, at))) {
        throw wrong("'%s' is no outage; expected one such as sqs@10s+20s".formatted(text));
      }
      return new Outage(
          text.substring(0, at),
          Durations.parse(text.substring(at + 1, plus)),
          Durations.parse(text.substring(plus + 1)));
    }

    boolean covers(Duration sinceStart) {
      return sinceStart.compareTo(from) >= 0 && sinceStart.compareTo(from.plus(length)) < 0;
    }
  }

  static FaultSettings parse(String text) {
    long seed = 1;
    double fail = 0;
    double throttle = 0;
    double lose = 0;
    Duration delay = Duration.ZERO;
    Set<String> only = new HashSet<>();
    List<Outage> outages = new ArrayList<>();
    Halt halt = null;
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("=", 2);
      String value = pair.length == 2 ? pair[1].strip() : "";
      try {
        switch (pair[0].strip()) {
          case "seed" -> seed = Long.parseLong(value);
          case "fail" -> fail = share(value);
          case "throttle" -> throttle = share(value);
          case "lose" -> lose = share(value);
          case "delay" -> delay = Durations.parse(value);
          case "only" -> only.add(value.toLowerCase(Locale.ROOT));
          case "outage" -> outages.add(Outage.parse(value));
          case "halt" -> halt = Halt.parse(value);
          default ->
              throw wrong("unknown key '%s'%s".formatted(pair[0], Nearest.hint(pair[0], KEYS)));
        }
      } catch (IllegalArgumentException e) {
        throw wrong("'%s': %s".formatted(part, e.getMessage()));
      }
    }
    return new FaultSettings(seed, fail, throttle, lose, delay, only, outages, halt);
  }

  private static double share(String value) {
    double share = Double.parseDouble(value);
    if (!(share >= 0 && share <= 1)) {
      throw wrong("'%s' is no share; expected a number from 0 to 1".formatted(value));
    }
    return share;
  }

  boolean down(String service, Duration sinceStart) {
    return outages.stream().anyMatch(o -> o.service().equals(service) && o.covers(sinceStart));
  }

  boolean concerns(String service, String operation) {
    return only.isEmpty()
        || only.contains(service)
        || only.contains((service + '.' + operation).toLowerCase(Locale.ROOT));
  }

  boolean harmless() {
    return fail + throttle + lose == 0;
  }

  private static UsageException wrong(String message) {
    return new UsageException("%s: %s".formatted(Faults.VARIABLE, message));
  }
}
