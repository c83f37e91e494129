package io.summarizer.dsl.interpret;

/** A constant integer. */
record ConstantNode(long value) implements LongNode {
    @Override
    public long eval(Frame frame) {
        frame.isNull = false;
        return value;
    }

    @Override
    public boolean leavesStrings() {
        return false;
    }
}
