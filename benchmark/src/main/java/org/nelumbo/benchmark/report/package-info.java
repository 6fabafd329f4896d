/**
 * Results and their output: {@link org.nelumbo.benchmark.report.RunResult} contains the numbers;
 * the other classes write it as a table, a RESULT line or JSON, or compare several runs.
 */
package org.nelumbo.benchmark.report;
