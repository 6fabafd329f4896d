package org.nelumbo.dm.env;

/** An environment that forwards to another one, for tests that override some of its methods. */
public class ForwardingEnvironment implements Environment {
  protected final Environment environment;

  /** Forwards to a new {@link SystemEnvironment}. */
  public ForwardingEnvironment() {
    this(new SystemEnvironment());
  }

  public ForwardingEnvironment(Environment environment) {
    this.environment = environment;
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

  @Override
  public void backoff(int attempt) {
    environment.backoff(attempt);
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
}
