package org.nelumbo.dm.disk;

import java.nio.file.Path;

/**
 * The registry of the files of pools and databases that this process has open, whatever class
 * loader opened them and by whatever name. It is kept in the system properties, which all class
 * loaders share. The file's lock excludes other processes; the registry identifies the holder
 * within this process.
 */
public final class HeldFiles {
  private static final String PREFIX = "org.nelumbo.shm.open.";

  private HeldFiles() {}

  /**
   * Adds a file.
   *
   * @return null if the file was not registered; else the display name of its holder
   */
  public static String add(SystemFile.Identity file, Path path) {
    Object holder = System.getProperties().putIfAbsent(PREFIX + file, path + " in " + ownName());
    return holder == null ? null : holder.toString();
  }

  public static void remove(SystemFile.Identity file) {
    System.getProperties().remove(PREFIX + file);
  }

  private static String ownName() {
    ClassLoader loader = HeldFiles.class.getClassLoader();
    String name = loader == null ? "bootstrap" : loader.getName();
    return name == null
        ? "class loader "
            + loader.getClass().getSimpleName()
            + "@"
            + Integer.toHexString(System.identityHashCode(loader))
        : "class loader " + name;
  }
}
