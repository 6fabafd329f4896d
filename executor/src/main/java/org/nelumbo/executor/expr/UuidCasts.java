package org.nelumbo.executor.expr;

import java.util.UUID;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/** Casts to UUID, from text and from 16 bytes. */
final class UuidCasts {
  private UuidCasts() {}

  /** Returns the cast, or null if there is none. */
  static Expression to(ColumnType target, Expression operand) {
    Kind from = operand.type().kind();
    if (from == Kind.UUID) {
      return operand;
    } else if (from.isCharacter()) {
      return new ObjectFunctionCall(
          CastSupport.name(target),
          target,
          (f, a) -> {
            String text = (String) a[0].evalObject(f);
            return text == null ? null : Uuids.parse(text);
          },
          operand);
    } else if (from.isBinary()) {
      return new ObjectFunctionCall(
          CastSupport.name(target),
          target,
          (f, a) -> {
            byte[] bytes = (byte[]) a[0].evalObject(f);
            return bytes == null ? null : ofBytes(bytes);
          },
          operand);
    }
    return null;
  }

  private static UUID ofBytes(byte[] bytes) {
    if (bytes.length != Uuids.BYTES) {
      throw ColumnType.of(Kind.UUID).cannotCast(bytes.length + " bytes");
    }
    return Uuids.of(bytes);
  }
}
