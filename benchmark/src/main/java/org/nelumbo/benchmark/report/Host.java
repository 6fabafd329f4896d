package org.nelumbo.benchmark.report;

import java.util.List;

/**
 * The machine and the program that measured.
 *
 * @param cpu name of the processor
 * @param cores processors that this process may use
 * @param memoryMegabytes memory of the machine; 0 if unknown
 * @param system name, version and architecture of the operating system
 * @param java version and vendor of the JVM
 * @param flags flags of the JVM
 * @param collector names of the garbage collectors
 * @param heapMaxMegabytes maximum heap size
 * @param loadAverage load average of the last minute; -1 if unknown
 * @param harness version of this program
 * @param commit commit of its sources, if the launcher provides it
 */
public record Host(
    String cpu,
    int cores,
    double memoryMegabytes,
    String system,
    String java,
    List<String> flags,
    String collector,
    double heapMaxMegabytes,
    double loadAverage,
    String harness,
    String commit) {}
