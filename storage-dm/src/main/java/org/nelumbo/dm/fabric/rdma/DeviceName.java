package org.nelumbo.dm.fabric.rdma;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which RDMA device to use, and how.
 *
 * @param name as {@code ibv_devices} shows it; empty: the first that has an active port
 * @param gidIndex entry of its table of GIDs; -1: the first of RoCE version 2, if there is one
 * @param provider the library between
 */
public record DeviceName(String name, int gidIndex, VerbsProvider provider) {
  /** The first that works. */
  public static final DeviceName ANY = new DeviceName("", -1, VerbsProvider.IBVERBS);

  private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_.-]{0,63})(?::([0-9]{1,3}))?");
  private static final int GID_INDEX_MAX = 255;

  /**
   * Reads {@code DEVICE[:GID]}; the device may be empty. It is used through libibverbs.
   *
   * @throws IllegalArgumentException if it is something else
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

  /** That device through another library. */
  public DeviceName with(VerbsProvider value) {
    return new DeviceName(name, gidIndex, value);
  }
}
