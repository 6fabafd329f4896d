package org.nelumbo.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.Set;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Engine code obtains time, randomness, threads and timed waits only from {@code
 * org.nelumbo.dm.env.Environment}, because the simulator must control them.
 */
class EnvironmentTest {
  private static final Set<String> CLOCK_METHODS = Set.of("nanoTime", "currentTimeMillis");

  /**
   * Forbidden methods of Thread. Code may start, wake and join a thread that the environment has
   * created.
   */
  private static final Set<String> THREAD_METHODS =
      Set.of("<init>", "sleep", "yield", "ofVirtual", "ofPlatform", "startVirtualThread");

  @Test
  void shouldUseEnvironmentForTimeThreadsAndRandomness() {
    fromTheEnvironment(Production.ENGINE).check(Production.CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Offenders.Clock.class,
        Offenders.Sleeper.class,
        Offenders.Starter.class,
        Offenders.Gambler.class,
        Offenders.Parker.class,
        Offenders.Waiter.class
      })
  void shouldNoticeOffenders(Class<?> offender) {
    ArchRule rule = fromTheEnvironment("org.nelumbo.arch..");
    assertThrows(AssertionError.class, () -> rule.check(Production.offender(offender)));
  }

  private static ArchRule fromTheEnvironment(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .and()
        .resideOutsideOfPackage(Production.ENVIRONMENT)
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "is a clock, a thread, randomness or a timed wait",
                EnvironmentTest::belongsToTheEnvironment))
        .because("the simulator has to own time, threads and randomness");
  }

  private static boolean belongsToTheEnvironment(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    return (owner.isEquivalentTo(System.class) && CLOCK_METHODS.contains(name))
        || (owner.getPackageName().equals("java.time") && name.equals("now"))
        || (owner.isAssignableTo(Thread.class) && THREAD_METHODS.contains(name))
        || (owner.isEquivalentTo(LockSupport.class) && name.startsWith("park"))
        || owner.isEquivalentTo(Executors.class)
        || owner.isAssignableTo(ExecutorService.class)
        || owner.isAssignableTo(TimerTask.class)
        || isRandom(owner, name)
        || isTimedWait(access, name);
  }

  private static boolean isRandom(JavaClass owner, String name) {
    return owner.isAssignableTo(Random.class)
        || owner.isAssignableTo(RandomGenerator.class)
        || (owner.isEquivalentTo(Math.class) && name.equals("random"))
        || (owner.isEquivalentTo(UUID.class) && name.equals("randomUUID"));
  }

  /**
   * Returns true for waits with a timeout, which the real clock ends. Waits without one are under
   * the control of the scheduler.
   */
  private static boolean isTimedWait(JavaAccess<?> access, String name) {
    if (name.equals("awaitNanos") || name.equals("awaitUntil")) {
      return true;
    }
    return access.getTarget() instanceof AccessTarget.CodeUnitCallTarget call
        && call.getOwner().getPackageName().startsWith("java.util.concurrent")
        && call.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(TimeUnit.class));
  }
}
