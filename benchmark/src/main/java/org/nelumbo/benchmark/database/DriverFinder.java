package org.nelumbo.benchmark.database;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the driver of a URL, first in the jars the user named, then on the class path. */
public final class DriverFinder {
  private final List<Driver> extraDrivers = new ArrayList<>();

  /**
   * Loads the drivers of the given jars.
   *
   * @throws SQLException if a jar is missing or holds no driver
   */
  public DriverFinder(List<Path> jars) throws SQLException {
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw new SQLException("cannot read driver jar " + jar, "08001");
      }
    }
    if (jars.isEmpty()) {
      return;
    }
    URL[] urls = jars.stream().map(DriverFinder::url).toArray(URL[]::new);
    // the loader lives as long as the process: its drivers do
    URLClassLoader loader = new URLClassLoader(urls, DriverFinder.class.getClassLoader());
    ServiceLoader.load(Driver.class, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .forEach(provider -> extraDrivers.add(provider.get()));
    if (extraDrivers.isEmpty()) {
      throw new SQLException("no JDBC driver announces itself in " + jars, "08001");
    }
  }

  /**
   * The driver that accepts the URL.
   *
   * @throws SQLException with SQLState 08001 if there is none
   */
  public Driver find(DatabaseUrl url) throws SQLException {
    for (Driver driver : extraDrivers) {
      if (driver.acceptsURL(url.text())) {
        return driver;
      }
    }
    try {
      return DriverManager.getDriver(url.text());
    } catch (SQLException noneRegistered) {
      String message = "no JDBC driver accepts " + url + "; name its jar with --driver-jar";
      throw new SQLException(message, "08001", noneRegistered);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("not a file: " + jar, e);
    }
  }
}
