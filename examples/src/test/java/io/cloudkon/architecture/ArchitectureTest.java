package io.cloudkon.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the one-way imports and the purity that docs/decisions.md promises. */
class ArchitectureTest {

  private static final JavaClasses MAIN = Rooms.mainClasses();

  /** The rooms that know neither the SDK, nor threads, nor clocks, nor the outside world. */
  private static final String[] PURE = {
    "io.cloudkon.core.model..", "io.cloudkon.core.port..", "io.cloudkon.core.protocol.."
  };

  private static final String PROTOCOL = "io.cloudkon.core.protocol..";

  private static final String PORTS = "io.cloudkon.core.port..";

  /**
   * Machines that decide on what stands in tables: they read the ports' entries, which are data.
   */
  private static final String[] READERS_OF_ENTRIES = {
    "io.cloudkon.core.protocol.provisioning..", "io.cloudkon.core.protocol.notice.."
  };

  private static final String SIMULATOR = "io.cloudkon.simulator..";

  /**
   * What waits for a service or a process outside, where there is nothing to be told by, and the
   * latency that an emulator is asked for.
   */
  private static final Set<String> WAITERS =
      Set.of(
          "io.cloudkon.bench.BenchCluster",
          "io.cloudkon.bench.IdleWait",
          "io.cloudkon.bench.Program",
          "io.cloudkon.bench.ProvisioningBenchmark",
          "io.cloudkon.core.aws.ServiceWait",
          "io.cloudkon.core.aws.SqsQueues",
          "io.cloudkon.local.BackgroundEmulator",
          "io.cloudkon.local.EmulatedLatency",
          "io.cloudkon.local.S3Service",
          "io.cloudkon.worker.execute.spawn.Spawner",
          "io.cloudkon.worker.gang.RmiLink");

  @Test
  void every_room_of_the_design_that_has_classes_is_seen() {
    Set<String> seen = new TreeSet<>();
    MAIN.forEach(type -> seen.add(Rooms.roomOf(type)));
    assertThat(seen).containsExactlyInAnyOrderElementsOf(Rooms.IMPORTS.keySet());
  }

  @TestFactory
  Stream<DynamicTest> a_room_imports_only_the_rooms_below_it() {
    return Rooms.IMPORTS.entrySet().stream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(), () -> importsOnly(entry.getKey(), entry.getValue())));
  }

  private static void importsOnly(String room, Set<String> allowed) {
    Set<String> compiledAlong = Rooms.COMPILED_ALONG.getOrDefault(room, Set.of());
    DescribedPredicate<JavaClass> forbidden =
        describe(
            "in a room above or beside it",
            type ->
                type.getPackageName().startsWith("io.cloudkon")
                    && !Rooms.roomOf(type).equals(room)
                    && !allowed.contains(Rooms.roomOf(type))
                    && !compiledAlong.contains(type.getName()));
    noClasses()
        .that()
        .resideInAPackage(room + "..")
        .should()
        .dependOnClassesThat(forbidden)
        .check(MAIN);
  }

  @Test
  void model_ports_and_machines_know_no_sdk_no_threads_no_clock_no_files_no_network() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "software.amazon..",
                    "java.util.concurrent..",
                    "java.io..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.security..",
                    "io.cloudkon.core.aws..",
                    "io.cloudkon.core.memory..")
                .and(
                    describe(
                        "not merely an exception, a marker, or a file's name",
                        type ->
                            !Set.of(
                                    "java.io.IOException",
                                    "java.io.UncheckedIOException",
                                    "java.io.Serializable",
                                    "java.nio.file.Path")
                                .contains(type.getName()))))
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.lang\\.(Thread|ThreadLocal|Process|ProcessBuilder|Runtime)(\\$.*)?"
                + "|java\\.time\\.(Clock|InstantSource)"
                + "|java\\.util\\.(Random|SplittableRandom|Timer)")
        .orShould()
        .accessTargetWhere(
            describe("reads the clock or makes up a random value", ArchitectureTest::isImpure))
        .check(MAIN);
  }

  /** The ports are said in the machines' words, and never the other way round. */
  @Test
  void machines_know_no_port() {
    noClasses()
        .that()
        .resideInAPackage(PROTOCOL)
        .and()
        .resideOutsideOfPackages(READERS_OF_ENTRIES)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(PORTS)
        .check(MAIN);
  }

  @Test
  void machines_that_read_entries_know_nothing_else_of_the_ports() {
    noClasses()
        .that()
        .resideInAnyPackage(READERS_OF_ENTRIES)
        .should()
        .dependOnClassesThat(
            resideInAPackage(PORTS)
                .and(describe("not data", type -> !type.isRecord() && !type.isEnum())))
        .check(MAIN);
  }

  /** One seed is one history: nothing from outside may have a say in it. */
  @Test
  void the_simulator_knows_no_threads_no_clock_no_files_and_no_chance_but_its_seed() {
    noClasses()
        .that()
        .resideInAPackage(SIMULATOR)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "software.amazon..",
                    "java.util.concurrent..",
                    "java.io..",
                    "java.nio..",
                    "java.net..",
                    "java.security..",
                    "io.cloudkon.core.aws..",
                    "io.cloudkon.core.memory..")
                .and(
                    describe(
                        "not merely a marker",
                        type -> !type.getName().equals("java.io.Serializable"))))
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.lang\\.(Thread|ThreadLocal|Process|ProcessBuilder|Runtime)(\\$.*)?"
                + "|java\\.time\\.(Clock|InstantSource)"
                + "|java\\.util\\.(Random|Timer|IdentityHashMap|WeakHashMap)")
        .orShould()
        .accessTargetWhere(
            describe(
                "reads the clock, makes up a random value, or looks at an object's address",
                access -> isImpure(access) || isUnrepeatable(access)))
        .check(MAIN);
  }

  private static boolean isUnrepeatable(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getName();
    return switch (owner) {
      case "java.lang.System" -> name.equals("identityHashCode");
      case "java.lang.Object" -> name.equals("hashCode");
      case "java.util.SplittableRandom" ->
          name.equals("<init>") && access.getTarget().getFullName().endsWith("<init>()");
      case "java.util.Collections" ->
          name.equals("shuffle") && access.getTarget().getFullName().endsWith("(java.util.List)");
      default -> name.equals("parallelStream") || name.equals("parallel");
    };
  }

  @Test
  void the_simulator_drives_the_production_machines() {
    List<JavaClass> simulator = MAIN.stream().filter(resideInAPackage(SIMULATOR)).toList();
    assertThat(simulator)
        .as("machines of its own")
        .noneMatch(type -> type.getSimpleName().endsWith("Machine"));

    Set<String> used = new TreeSet<>();
    Deque<JavaClass> next = new ArrayDeque<>();
    simulator.forEach(type -> machinesOf(type, used, next));
    // What it gives its events to may have others to pass them on to.
    while (!next.isEmpty()) {
      machinesOf(next.remove(), used, next);
    }
    assertThat(used)
        .containsExactlyInAnyOrder(
            "io.cloudkon.core.protocol.bundle.BundleMachine",
            "io.cloudkon.core.protocol.bundler.BundlerMachine",
            "io.cloudkon.core.protocol.capacity.CapacityMachine",
            "io.cloudkon.core.protocol.claim.ClaimMachine",
            "io.cloudkon.core.protocol.completeness.CompletenessMachine",
            "io.cloudkon.core.protocol.gang.ManagerMachine",
            "io.cloudkon.core.protocol.gang.SubWorkerMachine",
            "io.cloudkon.core.protocol.health.HealthMachine",
            "io.cloudkon.core.protocol.idle.IdleMachine",
            "io.cloudkon.core.protocol.intake.IntakeMachine",
            "io.cloudkon.core.protocol.lease.LeaseMachine",
            "io.cloudkon.core.protocol.provisioning.ProvisioningMachine",
            "io.cloudkon.core.protocol.worker.WorkerMachine");
  }

  /** The machines that a class, or in a machine's room all of its classes, calls. */
  private static void machinesOf(JavaClass type, Set<String> used, Deque<JavaClass> next) {
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
        JavaClass owner = access.getTargetOwner();
        boolean protocol = owner.getPackageName().startsWith("io.cloudkon.core.protocol.");
        if (protocol && owner.getSimpleName().endsWith("Machine") && used.add(owner.getName())) {
          MAIN.stream()
              .filter(other -> other.getPackageName().equals(owner.getPackageName()))
              .forEach(next::add);
        }
      }
    }
  }

  private static boolean isImpure(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getName();
    return switch (owner) {
      case "java.lang.System" -> Set.of("currentTimeMillis", "nanoTime", "getenv").contains(name);
      case "java.lang.Math" -> name.equals("random");
      case "java.util.UUID" -> name.equals("randomUUID");
      default -> owner.startsWith("java.time.") && name.equals("now");
    };
  }

  @Test
  void only_the_aws_adapters_import_the_sdk() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.cloudkon.core.aws..", "io.cloudkon.local..")
        // the benchmarks measure the bare SDK beside what is built on it
        .and(
            describe("are not its bare calls", type -> !type.getName().contains(".bench.RawCalls")))
        .should()
        .dependOnClassesThat(resideInAPackage("software.amazon.awssdk.."))
        .check(MAIN);
  }

  @Test
  void only_localstack_imports_the_emulators() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cloudkon.local..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("com.amazonaws..", "org.elasticmq..", "software.amazon.dynamodb.."))
        .check(MAIN);
  }

  @Test
  void packages_of_a_module_form_no_cycle() {
    slices().matching("io.cloudkon.(**)").should().beFreeOfCycles().check(MAIN);
  }

  @Test
  void no_program_waits_on_a_monitor() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cloudkon.examples..")
        .should()
        .callMethod(Object.class, "wait")
        .orShould()
        .callMethod(Object.class, "wait", long.class)
        .orShould()
        .callMethod(TimeUnit.class, "timedWait", Object.class, long.class)
        .because("virtual threads that wait there can stop the threads that notify them")
        .check(MAIN);
  }

  @Test
  void main_code_sleeps_only_in_the_named_few() {
    noClasses()
        .that(describe("do not wait for another process", type -> !isWaiter(type)))
        .should()
        .accessTargetWhere(describe("sleeps the thread", ArchitectureTest::sleeps))
        .check(MAIN);
  }

  private static boolean isWaiter(JavaClass type) {
    return WAITERS.stream().anyMatch(name -> (type.getName() + "$").startsWith(name + "$"));
  }

  @Test
  void tests_await_conditions_and_never_sleep() {
    noClasses()
        .that(
            describe(
                "do not delay calls on purpose",
                type ->
                    !type.getName().startsWith("io.cloudkon.core.aws.FaultInjectingHttpClient")))
        .should()
        .accessTargetWhere(describe("sleeps the thread", ArchitectureTest::sleeps))
        .check(Rooms.testClasses());
  }

  private static boolean sleeps(JavaAccess<?> access) {
    return access.getName().equals("sleep")
        && Set.of("java.lang.Thread", "java.util.concurrent.TimeUnit")
            .contains(access.getTargetOwner().getName());
  }

  @Test
  void every_package_is_null_marked() {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : MAIN) {
      JavaPackage home = type.getPackage();
      if (!isGenerated(home) && !home.isAnnotatedWith(NullMarked.class)) {
        unmarked.add(home.getName());
      }
    }
    assertThat(unmarked).as("packages without @NullMarked in a package-info.java").isEmpty();
  }

  private static boolean isGenerated(JavaPackage home) {
    return home.getName().startsWith("io.cloudkon.core.wire")
        || home.getName().endsWith(".jmh_generated");
  }
}
