package io.cloudkon.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.cloudkon.core.aws.FaultsOfEnvironment;
import io.cloudkon.core.aws.HttpDecorator;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What injects faults is in the tests; production code has one hook for it, and nothing to hang.
 */
class NoInjectedFaultsTest {
  private static final JavaClasses MAIN = Rooms.mainClasses();

  /**
   * End their process at once when a person, or the system, has asked for it twice; a worker also
   * when a task ignores the loss of its lease.
   */
  private static final Set<String> HALTING =
      Set.of(
          "io.cloudkon.client.cli.Interrupt",
          "io.cloudkon.client.cli.StatusCommand",
          "io.cloudkon.core.process.TemporaryFiles",
          "io.cloudkon.provisioner.cli.StopSignals",
          "io.cloudkon.worker.cli.WorkerEnd",
          "io.cloudkon.worker.cli.WorkerSignals");

  @Test
  void no_main_class_decorates_calls() {
    noClasses().should().implement(HttpDecorator.class.getName()).check(MAIN);
  }

  @Test
  void decorators_are_looked_for_and_applied_in_one_place_each() {
    classes()
        .that(describe("look for decorators", type -> calls(type, "ofClassPath")))
        .should()
        .haveFullyQualifiedName("io.cloudkon.core.aws.AwsCloud")
        .check(MAIN);
    classes()
        .that(describe("apply decorators", type -> calls(type, "around")))
        .should()
        .haveFullyQualifiedName("io.cloudkon.core.aws.HttpClients")
        .orShould()
        .haveFullyQualifiedName(HttpDecorator.class.getName())
        .check(MAIN);
  }

  private static boolean calls(JavaClass type, String method) {
    return type.getAccessesFromSelf().stream()
        .anyMatch(access ->
            access.getTargetOwner().isEquivalentTo(HttpDecorator.class)
                && access.getName().equals(method));
  }

  /** The simulator has faults of its own, of a cloud that is simulated, too. */
  @Test
  void main_classes_are_not_named_after_faults_but_in_the_simulation() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.cloudkon.simulator..", "io.cloudkon.bench.simulate..")
        .should()
        .haveNameMatching("(?i).*((?<!de)fault|Unreliable|Misbehav|Inject|HaltPoint|Chaos).*")
        .check(MAIN);
  }

  @Test
  void processes_are_ended_at_once_only_by_those_who_are_told_to_by_signals() {
    noClasses()
        .that(describe("do not act on signals", type -> !isHalting(type)))
        .should()
        .accessTargetWhere(describe("ends the process at once", NoInjectedFaultsTest::halts))
        .check(MAIN);
  }

  private static boolean isHalting(JavaClass type) {
    return HALTING.stream().anyMatch(name -> (type.getName() + "$").startsWith(name + "$"));
  }

  private static boolean halts(JavaAccess<?> access) {
    return access.getName().equals("halt") && access.getTargetOwner().isEquivalentTo(Runtime.class);
  }

  /** Else no test of processes would inject anything, and all of them would pass. */
  @Test
  void what_injects_faults_is_found_on_the_class_path_of_tests() {
    assertThat(ServiceLoader.load(HttpDecorator.class))
        .singleElement()
        .isInstanceOf(FaultsOfEnvironment.class);
  }
}
