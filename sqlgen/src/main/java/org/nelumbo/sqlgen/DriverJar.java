package org.nelumbo.sqlgen;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A jar with a JDBC driver, or none, in which case all drivers are those of this program.
 * Connections can be used until it is closed.
 */
public final class DriverJar implements AutoCloseable {
  private final CommandSpec spec;
  private final Path file;
  private final URLClassLoader loader;

  private DriverJar(CommandSpec spec, Path file, URLClassLoader loader) {
    this.spec = spec;
    this.file = file;
    this.loader = loader;
  }

  /**
   * Opens the jar given to a command.
   *
   * @param spec the command, for errors
   * @param file the jar, or null
   */
  public static DriverJar of(CommandSpec spec, Path file) throws IOException {
    if (file != null && !Files.isReadable(file)) {
      throw new ParameterException(spec.commandLine(), "there is no jar " + file);
    }
    return new DriverJar(
        spec,
        file,
        file == null
            ? null
            : new URLClassLoader(
                new URL[] {file.toUri().toURL()}, ClassLoader.getPlatformClassLoader()));
  }

  /**
   * Opens a connection by the jar's driver if it accepts the URL, otherwise by a driver of this
   * program.
   */
  public Connection connect(String url) throws SQLException {
    Connection connection = loader == null ? null : connectByJar(url);
    return connection == null ? DriverManager.getConnection(url, properties(url)) : connection;
  }

  /** Opens a connection by the jar's driver; by one of this program only if there is no jar. */
  Connection connectByIt(String url) throws SQLException {
    if (loader == null) {
      return DriverManager.getConnection(url);
    }
    Connection connection = connectByJar(url);
    if (connection == null) {
      throw new ParameterException(spec.commandLine(), file + " has no driver for " + url);
    }
    return connection;
  }

  private Connection connectByJar(String url) throws SQLException {
    for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
      if (driver.getClass().getClassLoader() == loader && driver.acceptsURL(url)) {
        return driver.connect(url, properties(url));
      }
    }
    return null;
  }

  private static Properties properties(String url) {
    Properties properties = new Properties();
    if (url.startsWith("jdbc:postgresql:")) {
      properties.setProperty("autosave", "always"); // an error rolls back only its own statement
    }
    return properties;
  }

  @Override
  public void close() throws IOException {
    if (loader != null) {
      loader.close();
    }
  }
}
