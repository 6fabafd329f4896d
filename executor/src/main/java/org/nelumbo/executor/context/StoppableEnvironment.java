package org.nelumbo.executor.context;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;

/**
 * The environment of an engine. Waits in it, for a lock, a latch in the pool or a version, end with
 * an exception when the engine has stopped, since the awaited resource is never released then.
 */
public final class StoppableEnvironment implements Environment {
  private final Environment environment;
  private final FailStop failStop;

  public StoppableEnvironment(Environment environment, FailStop failStop) {
    this.environment = environment;
    this.failStop = failStop;
  }

  @Override
  public long nanoTime() {
    return environment.nanoTime();
  }

  @Override
  public long epochMicros() {
    return environment.epochMicros();
  }

  @Override
  public long randomLong() {
    return environment.randomLong();
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST if the engine has stopped
   */
  @Override
  public void backoff(int attempt) {
    failStop.check();
    environment.backoff(attempt);
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST if the engine has stopped
   */
  @Override
  public void backoffLong(int attempt) {
    failStop.check();
    environment.backoffLong(attempt);
  }

  @Override
  public void stepAside() {
    environment.stepAside();
  }

  @Override
  public void parkNanos(long nanos) {
    environment.parkNanos(nanos);
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return environment.thread(name, body);
  }

  @Override
  public AtomicLong failures(String thread) {
    return environment.failures(thread);
  }

  @Override
  public Map<String, Long> failures() {
    return environment.failures();
  }

  @Override
  public void backgroundFailed(Throwable why) {
    environment.backgroundFailed(why);
  }
}
