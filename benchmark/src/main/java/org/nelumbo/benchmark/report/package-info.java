/**
 * What a run tells: {@link org.nelumbo.benchmark.report.RunResult} holds the numbers; the other
 * classes write it as a table, a RESULT line or JSON, or set several runs side by side.
 */
package org.nelumbo.benchmark.report;
