/**
 * JMH benchmarks of single structures. {@code nelumbo bench micro} runs them, and {@code nelumbo
 * bench memory} prints the pool memory of a row. From the top layer down: a statement through JDBC
 * ({@link org.nelumbo.benchmark.micro.PointSelect}), a plan ({@link
 * org.nelumbo.benchmark.micro.PlanRun}), a native transaction ({@link
 * org.nelumbo.benchmark.micro.SmallTransfer}, {@link org.nelumbo.benchmark.micro.RowAccess}), its
 * parts, and the verbs below it ({@link org.nelumbo.benchmark.micro.RawVerbs}, {@link
 * org.nelumbo.benchmark.micro.Verbs}).
 */
package org.nelumbo.benchmark.micro;
