package org.nelumbo.simulation.instrument;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A factory of code transforms that plant a call of {@link Probe#line} at each line of a method.
 * Lines of {@code finally} blocks are left out: code that only releases resources must not fail.
 */
final class ProbePlanter {
  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
  private static final MethodTypeDesc LINE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
  private static final String CHANNEL = "org/nelumbo/dm/pool/Channel";

  private final String type;
  private final SiteCatalog catalog;

  ProbePlanter(String type, SiteCatalog catalog) {
    this.type = type;
    this.catalog = catalog;
  }

  /** Returns the transformation of a method. */
  CodeTransform planterOf(MethodModel method) {
    CodeModel code = method.code().orElseThrow();
    Set<Integer> cleanup = handlerLines(code, true);
    Set<Integer> handlers = handlerLines(code, false);
    Map<Integer, SiteCatalog.Kind> kinds = kinds(code);
    Map<Integer, Integer> sites = new HashMap<>();
    String name = method.methodName().stringValue();
    for (CodeElement element : code) {
      if (element instanceof LineNumber line && !cleanup.contains(line.line())) {
        sites.computeIfAbsent(
            line.line(),
            l ->
                catalog.add(
                    new SiteCatalog.Site(type, name, l, kinds.get(l), handlers.contains(l))));
      }
    }
    return (builder, element) -> plant(builder, element, sites);
  }

  private static void plant(CodeBuilder builder, CodeElement element, Map<Integer, Integer> sites) {
    builder.with(element);
    if (element instanceof LineNumber line && sites.containsKey(line.line())) {
      builder.loadConstant(sites.get(line.line())).invokestatic(PROBE, "line", LINE);
    }
  }

  private static Map<Integer, SiteCatalog.Kind> kinds(CodeModel code) {
    Map<Integer, SiteCatalog.Kind> kinds = new HashMap<>();
    int line = 0;
    for (CodeElement element : code) {
      if (element instanceof LineNumber number) {
        line = number.line();
        kinds.putIfAbsent(line, SiteCatalog.Kind.PLAIN);
      } else if (element instanceof Instruction instruction) {
        kinds.merge(
            line, kind(instruction), (one, other) -> one.compareTo(other) < 0 ? one : other);
      }
    }
    return kinds;
  }

  private static SiteCatalog.Kind kind(Instruction instruction) {
    return switch (instruction) {
      case NewObjectInstruction _,
          NewPrimitiveArrayInstruction _,
          NewReferenceArrayInstruction _,
          NewMultiArrayInstruction _,
          InvokeDynamicInstruction _ ->
          SiteCatalog.Kind.ALLOCATION;
      case InvokeInstruction invoke ->
          invoke.owner().asInternalName().equals(CHANNEL)
              ? SiteCatalog.Kind.ALLOCATION
              : SiteCatalog.Kind.CALL;
      default -> SiteCatalog.Kind.PLAIN;
    };
  }

  /**
   * Returns the lines of handlers, up to their next throw.
   *
   * @param any true for handlers of any throwable, as those of {@code finally}; false for handlers
   *     of specific types
   */
  private static Set<Integer> handlerLines(CodeModel code, boolean any) {
    Set<Label> handlers = new HashSet<>();
    for (CodeElement element : code) {
      if (element instanceof ExceptionCatch handler && handler.catchType().isEmpty() == any) {
        handlers.add(handler.handler());
      }
    }
    Set<Integer> lines = new HashSet<>();
    boolean inside = false;
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target && handlers.contains(target.label())) {
        inside = true;
      } else if (element instanceof ThrowInstruction) {
        inside = false;
      } else if (inside && element instanceof LineNumber line) {
        lines.add(line.line());
      }
    }
    return lines;
  }
}
