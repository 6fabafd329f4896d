package org.nelumbo.dm.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A memory-ordering test: two actors, each on a thread of its own, work through the same numbered
 * cells of shared state, many at a time so that they meet in the middle of operations. Every
 * outcome that comes up must have been named; the test decides which are allowed.
 *
 * <p>One actor runs through a batch upwards from a random start and both begin together, so that in
 * some cells one is first, in some the other, and in some they collide.
 */
public final class Litmus {
  /** Cells of state; actor and outcome get the number of a cell, 0 to this minus 1. */
  public static final int CELLS = 512;

  /** What an actor does to one cell. */
  public interface Actor {
    void act(int cell);
  }

  private final Runnable reset;
  private final List<Actor> actors = new ArrayList<>();
  private final IntFunction<String> outcome;

  /**
   * @param reset makes all cells as new, before each batch
   * @param outcome names what happened in a cell, after both actors have been there
   */
  public Litmus(Runnable reset, IntFunction<String> outcome) {
    this.reset = reset;
    this.outcome = outcome;
  }

  public Litmus actor(Actor actor) {
    actors.add(actor);
    return this;
  }

  /** Runs that many batches and returns how often each outcome came up. */
  public Map<String, Integer> run(int batches) throws Exception {
    Map<String, Integer> outcomes = new TreeMap<>();
    CyclicBarrier barrier = new CyclicBarrier(actors.size() + 1);
    ExecutorService threads = Executors.newFixedThreadPool(actors.size());
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < actors.size(); i++) {
        Actor actor = actors.get(i);
        int stride = i + 1;
        futures.add(threads.submit(() -> act(actor, stride, batches, barrier)));
      }
      for (int batch = 0; batch < batches; batch++) {
        reset.run();
        barrier.await(60, TimeUnit.SECONDS);
        barrier.await(60, TimeUnit.SECONDS);
        for (int cell = 0; cell < CELLS; cell++) {
          outcomes.merge(outcome.apply(cell), 1, Integer::sum);
        }
      }
      for (Future<?> future : futures) {
        future.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    return outcomes;
  }

  private static Void act(Actor actor, int stride, int batches, CyclicBarrier barrier)
      throws Exception {
    for (int batch = 0; batch < batches; batch++) {
      barrier.await(60, TimeUnit.SECONDS);
      int start = batch * stride * 7 % 32;
      for (int i = 0; i < CELLS; i++) {
        actor.act((start + i) % CELLS);
      }
      barrier.await(60, TimeUnit.SECONDS);
    }
    return null;
  }
}
