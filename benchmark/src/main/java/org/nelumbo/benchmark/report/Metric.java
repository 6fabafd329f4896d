package org.nelumbo.benchmark.report;

/**
 * A number a benchmark is known by.
 *
 * @param key in RESULT lines and JSON, such as {@code nopm}
 * @param label for people, with what must be said beside the number
 * @param value the number
 */
public record Metric(String key, String label, double value) {}
