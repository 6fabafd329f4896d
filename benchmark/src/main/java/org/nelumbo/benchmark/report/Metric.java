package org.nelumbo.benchmark.report;

/**
 * A headline number of a benchmark.
 *
 * @param key key in RESULT lines and JSON, such as {@code nopm}
 * @param label text for output, with necessary explanations
 * @param value the number
 */
public record Metric(String key, String label, double value) {}
