package org.nelumbo.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.database.DriverFolder;
import org.nelumbo.benchmark.peer.DriverDownload;
import org.nelumbo.cli.ExitStatus;

/** The download of drivers, with a script in place of Maven that records its arguments. */
class DriversCommandTest {
  private final TypedCommand drivers = new TypedCommand("drivers");

  @TempDir Path directory;

  @BeforeEach
  void pretend() {
    System.setProperty(DriverDownload.HOME_PROPERTY, directory.toString());
    System.setProperty(DriverFolder.PROPERTY, directory.resolve("drivers").toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(DriverDownload.HOME_PROPERTY);
    System.clearProperty(DriverFolder.PROPERTY);
  }

  @Test
  void shouldRunMavenToCopyDriverAndDependencies() throws IOException {
    maven("cp \"$5\" \"$0.pom\"; echo \"$@\" > \"$0.words\"");
    assertEquals(ExitStatus.DONE, drivers.run("postgresql"), drivers::errors);
    String pom = Files.readString(directory.resolve("mvnw.pom"));
    assertTrue(pom.contains("<artifactId>postgresql</artifactId>"), pom);
    String words = Files.readString(directory.resolve("mvnw.words"));
    assertTrue(words.contains("dependency:copy-dependencies"), words);
    Path folder = directory.resolve("drivers").resolve("postgresql");
    assertTrue(words.contains("-DoutputDirectory=" + folder), words);
    assertTrue(drivers.output().contains("postgresql  " + folder));
  }

  @Test
  void shouldFetchOnlyMissingDrivers() throws IOException {
    Files.createDirectories(directory.resolve("drivers/postgresql"));
    maven("echo \"$@\" >> \"$0.words\"");
    assertEquals(ExitStatus.DONE, drivers.run());
    String words = Files.readString(directory.resolve("mvnw.words"));
    assertEquals(1, words.lines().count());
    assertTrue(words.contains("mariadb"), words);
  }

  @Test
  void shouldReportMavenFailure() throws IOException {
    maven("exit 7");
    assertEquals(ExitStatus.FAILED, drivers.run("mariadb"));
    assertTrue(drivers.errors().contains("status 7"), drivers::errors);
  }

  @Test
  void shouldRejectUnknownPeerNames() {
    assertEquals(ExitStatus.USAGE, drivers.run("nosuch"));
  }

  @Test
  void shouldListPeersAndTheirDrivers() {
    assertEquals(ExitStatus.DONE, drivers.run("--list"));
    assertTrue(drivers.output().contains("h2          on the class path"));
    assertTrue(drivers.output().contains("mariadb     missing: nelumbo bench drivers mariadb"));
  }

  private void maven(String script) throws IOException {
    Path file = Files.writeString(directory.resolve("mvnw"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
