package org.nelumbo.dm;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs test classes, or methods given as {@code CLASS#METHOD}, in this JVM, and prints the time of
 * each test. {@code ./nelumbo rdma-vm test} uses it where a Maven build would take longer than the
 * tests. The exit status is 1 if a test fails or if no test is found.
 */
final class DeviceTests {
  private DeviceTests() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequest tests =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(args).map(DeviceTests::selector).toList())
            .configurationParameter("junit.jupiter.execution.timeout.default", "2 m")
            .build();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(tests, summary, new Times(out));
    summary.getSummary().printFailuresTo(out);
    long succeeded = summary.getSummary().getTestsSucceededCount();
    boolean isGreen = succeeded > 0 && summary.getSummary().getTotalFailureCount() == 0;
    out.println(succeeded + " tests passed" + (isGreen ? "" : ", others did not"));
    System.exit(isGreen ? 0 : 1);
  }

  private static DiscoverySelector selector(String name) {
    return name.contains("#") ? selectMethod(name) : selectClass(name);
  }

  /** Prints each test with its time in milliseconds. */
  private static final class Times implements TestExecutionListener {
    private final PrintWriter out;
    private long start;

    Times(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      start = System.nanoTime();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        long millis = (System.nanoTime() - start) / 1_000_000;
        out.println(test.getDisplayName() + " " + result.getStatus() + " " + millis + " ms");
        result.getThrowable().ifPresent(why -> why.printStackTrace(out));
      }
    }
  }
}
