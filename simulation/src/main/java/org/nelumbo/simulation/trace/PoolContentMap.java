package org.nelumbo.simulation.trace;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A map of the pool's content, learnt from the verbs of a readable trace: the method that posts a
 * verb determines the kind of object. The latest entry counts, since memory is reused.
 */
public final class PoolContentMap {
  private record Area(String kind, long start, long end) {}

  private static final String HASH_PACKAGE = HashIndex.class.getPackageName() + ".";

  private final TreeMap<Long, Area> areas = new TreeMap<>();

  /**
   * Learns from a verb.
   *
   * @param type class that posted it, with its package
   * @param method method of that class
   * @param written bytes of a WRITE; null for other verbs
   */
  public void learn(String type, String method, long address, int length, MemorySegment written) {
    PostingMethod poster = PostingMethod.of(type, method);
    if (poster == null) {
      learnIndex(type, address, length);
      return;
    }
    switch (poster.object()) {
      case CVT -> put("cvt", address, length);
      case CVT_AND_MORE -> learnCvt(address, length);
      case NEW_ROWS -> learnRows(address, length, written);
      case CELLS_AND_RECORD -> learnRecord(address, length);
      case RECORD -> put("record", address, length);
      case LOG_BLOCK -> learnLogBlock(address);
      case DIRECTORY_BLOCK -> put("logs", address, length);
      case COMMIT_VECTOR -> put("commit vector", address, length);
      case OVERFLOW_BLOCK -> learnOverflow(address, length);
    }
  }

  /** Its length is known from its insert, unless the trace began later: most have two cells. */
  private void learnCvt(long address, int length) {
    Area known = find(address);
    if (known == null || !known.kind.equals("cvt")) {
      put("cvt", address, Math.min(length, CvtLayout.bytes(2)));
    }
  }

  private void learnRows(long address, int length, MemorySegment written) {
    int at = 0;
    while (at < length) {
      int cvtBytes = CvtLayout.bytes(CvtLayout.cells(written, at));
      int blockBytes = SizeClass.bytes(CvtLayout.blockClass(written, at));
      put("cvt", address + at, cvtBytes);
      int behind = Math.min(blockBytes, length - at) - cvtBytes;
      if (behind > 0) {
        put("record", address + at + cvtBytes, behind);
      }
      at += blockBytes;
    }
  }

  private void learnRecord(long address, int length) {
    Area cvt = find(address);
    if (cvt != null && cvt.kind.equals("cvt") && address + length > cvt.end) {
      put("record", cvt.end, address + length - cvt.end);
    }
  }

  private void learnLogBlock(long address) {
    Area known = find(address);
    if (known == null || !known.kind.equals("log")) {
      put("log", address, LogLayout.BLOCK_LENGTH);
    }
  }

  private void learnOverflow(long address, int length) {
    if (length == OverflowLayout.LENGTH) {
      put("overflow", address, length);
    }
  }

  private void learnIndex(String type, long address, int length) {
    if (length == TreeNodeLayout.LENGTH) {
      put("node", address, length);
    } else if (length == HashSegmentLayout.LENGTH) {
      put("segment", address, length);
    } else if (find(address) == null && type.startsWith(HASH_PACKAGE)) {
      put("hash", address, length);
    }
  }

  private void put(String kind, long start, long length) {
    Map.Entry<Long, Area> before = areas.floorEntry(start);
    if (before != null && before.getValue().end > start) {
      areas.remove(before.getKey());
    }
    areas.subMap(start, start + length).clear();
    areas.put(start, new Area(kind, start, start + length));
  }

  private Area find(long address) {
    Map.Entry<Long, Area> before = areas.floorEntry(address);
    return before != null && before.getValue().end > address ? before.getValue() : null;
  }

  /** Describes an address, as in {@code cvt 0:0x4a40 cell[1].word1}; empty if unknown. */
  public String describe(long address) {
    if (PoolAddress.offset(address) < SuperblockLayout.LENGTH) {
      return "superblock " + superblockField((int) PoolAddress.offset(address));
    }
    Area area = find(address);
    if (area == null) {
      return "";
    }
    int offset = (int) (address - area.start);
    String field =
        switch (area.kind) {
          case "cvt" -> cvtField(offset);
          case "log" -> logField(offset);
          case "node" -> nodeField(offset);
          case "segment" -> segmentField(offset);
          case "record" -> offset == 0 ? "" : "+" + offset;
          default -> "+" + offset;
        };
    return area.kind
        + " "
        + PoolAddress.toString(area.start)
        + (field.isEmpty() ? "" : " " + field);
  }

  private static String superblockField(int offset) {
    if (offset >= SuperblockLayout.COMPUTE_NODES_OFFSET) {
      int inTable = offset - SuperblockLayout.COMPUTE_NODES_OFFSET;
      int inEntry = inTable % SuperblockLayout.COMPUTE_NODE_LENGTH;
      String field =
          switch (inEntry) {
            case SuperblockLayout.COMPUTE_NODE_NUMBER_OFFSET -> "number";
            case SuperblockLayout.COMPUTE_NODE_HORIZON_OFFSET -> "horizon";
            case SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET -> "logs";
            case SuperblockLayout.COMPUTE_NODE_SETTLED_OFFSET -> "settled";
            case SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET -> "tenant";
            case SuperblockLayout.COMPUTE_NODE_SCHEMA_OFFSET -> "schema";
            case SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET -> "donated";
            default -> "+" + inEntry;
          };
      return "computeNode[" + inTable / SuperblockLayout.COMPUTE_NODE_LENGTH + "]." + field;
    }
    return switch (offset) {
      case SuperblockLayout.MAGIC_OFFSET -> "magic";
      case SuperblockLayout.FORMAT_OFFSET -> "format";
      case SuperblockLayout.POOL_ID_OFFSET -> "poolId";
      case SuperblockLayout.NODE_BYTES_OFFSET -> "nodeBytes";
      case SuperblockLayout.CATALOGUE_ROOT_OFFSET -> "catalogueRoot";
      case SuperblockLayout.BUMP_OFFSET -> "bump";
      case SuperblockLayout.CLOCK_OFFSET -> "clock";
      case SuperblockLayout.FREE_SPACE_MAP_OFFSET -> "freeSpaceMap";
      case SuperblockLayout.CONFIGURATION_OFFSET -> "configuration";
      case SuperblockLayout.CONFIGURATION_LATCH_OFFSET -> "configuration.latch";
      case SuperblockLayout.CONFIGURATION_VERSION_OFFSET -> "configuration.version";
      case SuperblockLayout.COMMIT_VECTOR_OFFSET -> "commitVector";
      case SuperblockLayout.JOINS_OFFSET -> "joins";
      default -> "+" + offset;
    };
  }

  private static String cvtField(int offset) {
    if (offset >= CvtLayout.FIRST_CELL_OFFSET) {
      int cell = (offset - CvtLayout.FIRST_CELL_OFFSET) / CvtLayout.CELL_LENGTH;
      return "cell[" + cell + "]" + (offset == CvtLayout.cellOffset(cell) ? "" : ".word1");
    }
    return switch (offset) {
      case CvtLayout.LOTUS_KEY_OFFSET -> "";
      case CvtLayout.STORE_ID_OFFSET -> "storeId";
      case CvtLayout.OVERFLOW_OFFSET -> "overflow";
      default -> "+" + offset;
    };
  }

  private static String logField(int offset) {
    if (offset >= LogLayout.ENTRIES_OFFSET) {
      return "entry[" + (offset - LogLayout.ENTRIES_OFFSET) / LogLayout.ENTRY_LENGTH + "]";
    }
    return switch (offset) {
      case LogLayout.NEXT_OFFSET -> "next";
      case LogLayout.TRANSACTION_OFFSET -> "transaction";
      case LogLayout.COUNT_OFFSET -> "count";
      default -> "+" + offset;
    };
  }

  private static String nodeField(int offset) {
    return switch (offset) {
      case TreeNodeLayout.LATCH_OFFSET -> "latch";
      case TreeNodeLayout.HEADER_OFFSET -> "header";
      case TreeNodeLayout.RIGHT_OFFSET -> "right";
      default -> "+" + offset;
    };
  }

  private static String segmentField(int offset) {
    if (offset >= HashSegmentLayout.LINES_OFFSET) {
      return "line["
          + (offset - HashSegmentLayout.LINES_OFFSET) / HashSegmentLayout.LINE_LENGTH
          + "]";
    }
    if (offset >= HashSegmentLayout.CHILDREN_OFFSET) {
      return "child[" + (offset - HashSegmentLayout.CHILDREN_OFFSET) / Long.BYTES + "]";
    }
    return switch (offset) {
      case HashSegmentLayout.LATCH_OFFSET -> "latch";
      case HashSegmentLayout.IDENTITY_OFFSET -> "identity";
      case HashSegmentLayout.SPLIT_INTENT_OFFSET -> "splitIntent";
      case HashSegmentLayout.COPY_OFFSET -> "copy";
      default -> "+" + offset;
    };
  }

  /**
   * Describes the value of a word, such as the second word of a cell; by default its hexadecimal
   * value.
   */
  public String describeValue(long address, long value) {
    Area area = find(address);
    if (area != null && area.kind.equals("cvt")) {
      int offset = (int) (address - area.start) - CvtLayout.FIRST_CELL_OFFSET;
      if (offset >= 0) {
        return offset % CvtLayout.CELL_LENGTH == 0 ? word0(value) : word1(value);
      }
    }
    return "0x" + Long.toHexString(value);
  }

  private static String word0(long word) {
    if (!CellLayout.isValid(word)) {
      return "free";
    }
    return (CellLayout.isDeleted(word) ? "deleted " : "")
        + "record="
        + PoolAddress.toString(CellLayout.address(word))
        + " cv="
        + CellLayout.headCv(word);
  }

  private static String word1(long word) {
    long version = CellLayout.version(word);
    return "version="
        + (CellLayout.isInvisible(version)
            ? "INVISIBLE(" + (version - CellLayout.FIRST_INVISIBLE) + ")"
            : Long.toString(version))
        + " cv="
        + CellLayout.tailCv(word);
  }
}
