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
 * A memory-ordering test. Two actors, each on its own thread, process the same numbered cells of
 * shared state, in large batches, so that their operations overlap. The test names each outcome,
 * and decides which outcomes are allowed.
 *
 * <p>Both actors begin a batch together, at random positions and with different strides, so that in
 * some cells the first actor is earlier, in some the second, and in some they collide.
 */
public final class Litmus {
  /** Number of cells; actors and outcome functions receive an index from 0 to this minus 1. */
  public static final int CELLS = 512;

  /** Operation of an actor on one cell. */
  public interface Actor {
    void act(int cell);
  }

  private final Runnable reset;
  private final List<Actor> actors = new ArrayList<>();
  private final IntFunction<String> outcome;

  /**
   * @param reset resets all cells, before each batch
   * @param outcome returns the name of the outcome in a cell, after both actors have processed it
   */
  public Litmus(Runnable reset, IntFunction<String> outcome) {
    this.reset = reset;
    this.outcome = outcome;
  }

  public Litmus actor(Actor actor) {
    actors.add(actor);
    return this;
  }

  /** Runs {@code batches} batches and returns the number of occurrences of each outcome. */
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
