package org.nelumbo.dm.fabric.rdma;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects an RDMA device and the library through which it is used.
 *
 * @param name name as {@code ibv_devices} shows it; empty for the first device with an active port
 * @param gidIndex index in its GID table; -1 for the first GID of RoCE version 2, if there is one
 * @param provider library through which the device is used
 */
public record DeviceName(String name, int gidIndex, VerbsProvider provider) {
  /** The first usable device. */
  public static final DeviceName ANY = new DeviceName("", -1, VerbsProvider.IBVERBS);

  private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_.-]{0,63})(?::([0-9]{1,3}))?");
  private static final int GID_INDEX_MAX = 255;

  /**
   * Parses {@code DEVICE[:GID]}, where the device may be empty. The provider is libibverbs.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static DeviceName parse(String text) {
    Matcher matcher = FORM.matcher(text);
    int gid =
        !matcher.matches() || matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2));
    if (!matcher.matches() || gid > GID_INDEX_MAX) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not an RDMA device; write DEVICE or DEVICE:GID, as in mlx5_0:3, with what"
              + " ibv_devinfo -v shows");
    }
    return new DeviceName(matcher.group(1), gid, VerbsProvider.IBVERBS);
  }

  /** Returns the same device with another provider. */
  public DeviceName with(VerbsProvider value) {
    return new DeviceName(name, gidIndex, value);
  }
}
