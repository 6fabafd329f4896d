package org.nelumbo.benchmark.report;

import java.util.List;

/**
 * The machine and the program that measured.
 *
 * @param cpu its name
 * @param cores processors this process may use
 * @param memoryMegabytes of the machine; 0 if unknown
 * @param system name, version and architecture of the operating system
 * @param java version and vendor of the JVM
 * @param flags of the JVM
 * @param collector names of the garbage collectors
 * @param heapMaxMegabytes bound of the heap
 * @param loadAverage processes that wanted to run in the minute before; -1 if unknown
 * @param harness version of this program
 * @param commit of its sources, if the launcher knows it
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
