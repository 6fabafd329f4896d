/**
 * JMH on single structures: {@code nelumbo bench micro} runs them, {@code nelumbo bench memory}
 * prints what a row costs in the pool. From the outside in: a statement through JDBC ({@link
 * org.nelumbo.benchmark.micro.PointSelect}), a plan ({@link org.nelumbo.benchmark.micro.PlanRun}),
 * a native transaction ({@link org.nelumbo.benchmark.micro.SmallTransfer}, {@link
 * org.nelumbo.benchmark.micro.RowAccess}), its parts, and the verbs below it ({@link
 * org.nelumbo.benchmark.micro.RawVerbs}, {@link org.nelumbo.benchmark.micro.Verbs}).
 */
package org.nelumbo.benchmark.micro;
