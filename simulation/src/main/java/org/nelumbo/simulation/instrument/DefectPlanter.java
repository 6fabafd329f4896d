package org.nelumbo.simulation.instrument;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Plants a defect beside the code it replaces; {@link Probe#defect} says which of them runs. */
final class DefectPlanter implements CodeTransform {
  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());

  private final Defect defect;
  private final MethodTypeDesc method;
  private int planted;

  /** Plants it into a method of that descriptor. */
  DefectPlanter(Defect defect, MethodTypeDesc method) {
    this.defect = defect;
    this.method = method;
  }

  /** How often it was planted. */
  int planted() {
    return planted;
  }

  private void unlessOn(CodeBuilder builder, Label off) {
    builder
        .getstatic(PROBE, "defect", ConstantDescs.CD_int)
        .loadConstant(defect.number())
        .if_icmpne(off);
  }

  @Override
  public void atStart(CodeBuilder builder) {
    if (defect.action() == Defect.Action.RETURN) {
      Label off = builder.newLabel();
      unlessOn(builder, off);
      TypeKind kind = TypeKind.from(method.returnType());
      push(builder, kind);
      builder.return_(kind);
      builder.labelBinding(off);
      planted++;
    }
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    if (defect.action() != Defect.Action.SKIP
        || !(element instanceof InvokeInstruction invoke)
        || !isIt(invoke)) {
      builder.with(element);
      return;
    }
    Label off = builder.newLabel();
    Label end = builder.newLabel();
    unlessOn(builder, off);
    MethodTypeDesc type = invoke.typeSymbol();
    for (int i = type.parameterCount() - 1; i >= 0; i--) {
      pop(builder, TypeKind.from(type.parameterType(i)));
    }
    if (invoke.opcode() != Opcode.INVOKESTATIC) {
      builder.pop();
    }
    push(builder, TypeKind.from(type.returnType()));
    builder.goto_(end);
    builder.labelBinding(off);
    builder.with(element);
    builder.labelBinding(end);
    planted++;
  }

  private boolean isIt(InvokeInstruction invoke) {
    String owner = invoke.owner().asInternalName();
    String name = owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
    return defect.call().equals(name + "." + invoke.name().stringValue());
  }

  private static void pop(CodeBuilder builder, TypeKind kind) {
    if (kind.slotSize() == 2) {
      builder.pop2();
    } else {
      builder.pop();
    }
  }

  private void push(CodeBuilder builder, TypeKind kind) {
    switch (kind) {
      case VOID -> {}
      case REFERENCE -> builder.aconst_null();
      case LONG -> builder.loadConstant((long) defect.result());
      case DOUBLE -> builder.loadConstant((double) defect.result());
      case FLOAT -> builder.loadConstant((float) defect.result());
      default -> builder.loadConstant(defect.result());
    }
  }
}
