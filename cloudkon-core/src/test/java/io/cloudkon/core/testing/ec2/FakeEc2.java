package io.cloudkon.core.testing.ec2;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cloudkon.core.aws.ec2.ClusterTags;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * EC2 on loopback, as the wire shows it: its query protocol and XML, client tokens that are
 * honoured, pools that are empty or refuse, throttling, answers that are lost after they had their
 * effect, listings that come late. What the emulators do not do. Thread safe.
 */
public final class FakeEc2 implements AutoCloseable {
  /** The launch template that it has from the start, by id and by name. */
  public static final String TEMPLATE = "lt-0123456789abcdef0";

  public static final String TEMPLATE_NAME = "workers";

  private final TimeSource time;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final FakeCatalogue catalogue = new FakeCatalogue();
  private final FakePools pools = new FakePools();
  private final FakeMachines machines;
  private final FakeFleets fleets = new FakeFleets(catalogue, pools, this);
  private final Map<String, Ec2Answer> denials = new HashMap<>();
  private final Map<String, Integer> lost = new HashMap<>();
  private final List<Ec2Query> asked = new ArrayList<>();
  private Consumer<FakeInstance> starts = instance -> {};
  private boolean gateway;
  private String policy = "";
  private long throttledUntil = Long.MIN_VALUE;

  /**
   * Starts it, on a free port, with types, subnets and a template of two versions.
   *
   * @param time by which instances boot and end
   */
  public FakeEc2(TimeSource time) {
    this.time = time;
    machines = new FakeMachines(time);
    catalogue.type("c7i.large", 2);
    catalogue.type("m7i.large", 2);
    catalogue.type("c7i.xlarge", 4);
    catalogue.subnet("subnet-a", 250, "zone-a");
    catalogue.subnet("subnet-b", 250, "zone-b");
    template(TEMPLATE, TEMPLATE_NAME, "c7i.large", "terminate metadata-tags");
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** What {@code AWS_ENDPOINT_URL_EC2} is to say. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /**
   * Adds a launch template: version 1 is its default, and version 2 its latest.
   *
   * @param data words: {@code terminate}, {@code metadata-tags}, {@code spot-tags}
   */
  public synchronized void template(String id, String name, String type, String data) {
    catalogue.template(new FakeCatalogue.Template(id, name, 2, 1, type, data));
  }

  /** Adds a subnet, or changes one. */
  public synchronized void subnet(String id, int freeAddresses, String zone) {
    catalogue.subnet(id, freeAddresses, zone);
  }

  /** A pool holds so many instances more. */
  public synchronized void capacity(Pool pool, Purchase purchase, int more) {
    pools.capacity(pool, purchase, more);
  }

  /** A pool refuses, with this code. */
  public synchronized void refuse(Pool pool, Purchase purchase, String code) {
    pools.refuse(pool, purchase, code);
  }

  /** A pool refuses no more. */
  public synchronized void accept(Pool pool, Purchase purchase) {
    pools.accept(pool, purchase);
  }

  /** So many instances may exist at a time. */
  public synchronized void room(int most) {
    pools.room(most);
  }

  /** Of the pools of a fleet, only the first so many are tried. */
  public synchronized void poolsTried(int most) {
    pools.tried(most);
  }

  /** From now on every call is refused as one too many, for so long. */
  public synchronized void throttle(Duration time) {
    throttledUntil = now() + time.toMillis();
  }

  /** Calls of this action are refused from now on. */
  public synchronized void deny(String action, int status, String code, String message) {
    denials.put(action, Ec2Answer.refused(status, code, message));
  }

  /** Ends {@link #deny}. */
  public synchronized void allow(String action) {
    denials.remove(action);
  }

  /**
   * Trials of launches are bound as the stack's policy binds them: by the cluster's tag, and
   * nothing is granted on requests for Spot.
   */
  public synchronized void policyOf(String cluster) {
    policy = cluster;
  }

  /** So many answers to this action are lost after it had its effect. */
  public synchronized void loseAnswers(String action, int number) {
    lost.put(action, number);
  }

  /** Answers that are lost are those of a gateway, which knows nothing of the effect. */
  public synchronized void answersAreLostByGateway() {
    gateway = true;
  }

  /** What is launched from now on is pending for so long. */
  public synchronized void bootTime(Duration boot) {
    machines.bootMillis = boot.toMillis();
  }

  /** What is launched from now on is missing in listings for so long, and cannot be ended. */
  public synchronized void listDelay(Duration delay) {
    machines.unlistedMillis = delay.toMillis();
  }

  /** Instances take so long to end. */
  public synchronized void endTime(Duration ending) {
    machines.endingMillis = ending.toMillis();
  }

  /** Listings have so many instances a page. */
  public synchronized void pageSize(int instances) {
    machines.page = instances;
  }

  /** Told of each instance that is launched. */
  public synchronized void onStart(Consumer<FakeInstance> told) {
    starts = told;
  }

  /** All that were ever launched, in order. */
  public synchronized List<FakeInstance> instances() {
    return machines.all();
  }

  /** How many were ever launched. */
  public synchronized int launched() {
    return machines.all().size();
  }

  /** How many have not been ended. */
  public synchronized int existing() {
    return (int) machines.all().stream().filter(FakeInstance::exists).count();
  }

  /** All questions of this action so far, those that were refused among them. */
  public synchronized List<Ec2Query> asked(String action) {
    return asked.stream().filter(query -> query.action().equals(action)).toList();
  }

  /**
   * An instance cannot be ended from now on: it is protected, or a policy forbids it. A call that
   * names it ends none of its zone; where it is forbidden, none at all.
   */
  public synchronized void keepFromEnding(String id, int status, String code) {
    machines.kept.put(
        id, Ec2Answer.refused(status, code, "The instance '%s' may not be ended.".formatted(id)));
  }

  /** An instance ends, as when its machine powers off. */
  public synchronized void end(String id) {
    machines.end(id);
  }

  /** An instance starts, whoever asked for it. */
  public synchronized FakeInstance start(Pool pool, Purchase purchase, Map<String, String> tags) {
    FakeInstance instance = machines.start(pool, purchase, tags);
    starts.accept(instance);
    return instance;
  }

  private long now() {
    return time.serviceMillis();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Ec2Query query = Ec2Query.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      Ec2Answer answer;
      synchronized (this) {
        asked.add(query);
        answer = answer(query);
        if (answer.status() == 200 && lost.merge(query.action(), -1, Integer::sum) >= 0) {
          if (gateway) {
            exchange.sendResponseHeaders(502, -1);
          }
          return; // else closed without a word
        }
      }
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml;charset=UTF-8");
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Ec2Answer answer(Ec2Query query) {
    if (now() < throttledUntil) {
      return Ec2Answer.refused(503, "RequestLimitExceeded", "Request limit exceeded.");
    }
    Ec2Answer denial = denials.get(query.action());
    if (denial != null) {
      return denial;
    }
    return switch (query.action()) {
      case "CreateFleet" -> fleets.create(query);
      case "DescribeInstances" -> machines.describe(query);
      case "TerminateInstances" -> machines.terminate(query);
      case "DescribeLaunchTemplateVersions" -> catalogue.describeTemplates(query);
      case "DescribeInstanceTypes" -> catalogue.describeTypes(query);
      case "DescribeSubnets" -> catalogue.describeSubnets(query);
      case "RunInstances" -> tried(query);
      default -> Ec2Answer.refused(400, "InvalidAction", query.action() + " is not known here.");
    };
  }

  private Ec2Answer tried(Ec2Query query) {
    Purchase purchase =
        query.text("InstanceMarketOptions.MarketType").equals("spot")
            ? Purchase.SPOT
            : Purchase.ON_DEMAND;
    Pool pool = new Pool(query.text("InstanceType"), query.text("SubnetId"));
    String refusal = pools.refusal(pool, purchase);
    boolean denied =
        !policy.isEmpty()
            && (purchase == Purchase.SPOT
                || !policy.equals(query.tags("instance").get(ClusterTags.CLUSTER)));
    if (denied || refusal != null) {
      String code = denied || refusal == null ? "UnauthorizedOperation" : refusal;
      return Ec2Answer.refused(400, code, "No trial of " + pool + ".");
    }
    return query.text("DryRun").equals("true")
        ? Ec2Answer.refused(
            412, "DryRunOperation", "Request would have succeeded, but DryRun flag is set.")
        : Ec2Answer.refused(400, "InvalidAction", "RunInstances launches nothing here.");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
