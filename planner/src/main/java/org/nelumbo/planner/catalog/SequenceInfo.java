package org.nelumbo.planner.catalog;

/**
 * A sequence as presented to readers of the catalog.
 *
 * @param remarks the text of COMMENT ON; null if there is none
 */
public record SequenceInfo(String schema, String name, long increment, String remarks) {}
