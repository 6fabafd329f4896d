package org.nelumbo.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build has written into the jar. */
public final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = BuildVersion.class.getPackage().getImplementationVersion();
    return new String[] {"nelumbo " + (version == null ? "(not from a jar)" : version)};
  }
}
