package org.nelumbo.planner.catalog;

/** A sequence as the catalogue's readers see it. */
public record SequenceInfo(String schema, String name, long increment) {}
