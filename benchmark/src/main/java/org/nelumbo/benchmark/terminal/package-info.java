/**
 * Parts of terminals that benchmarks share: the deck that deals transaction types, and the terminal
 * that runs them. Created by the workloads, used by the threads of a run.
 */
package org.nelumbo.benchmark.terminal;
