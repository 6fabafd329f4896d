package org.nelumbo.benchmark.forked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ForkedRunTest {
  @Test
  void shouldOmitAotCacheFromForkedOptions() {
    assertEquals(
        List.of("-XX:+UseParallelGC", "-Dnelumbo.home=/x"),
        ForkedRun.options(
            List.of("-XX:+UseParallelGC", "-XX:AOTCache=/x/nelumbo.aot", "-Dnelumbo.home=/x")));
  }
}
