// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A drawing that is being worked on: changes can be undone and done again.
///
/// The strokes' points are shared between the steps, so that a step costs little however long the strokes are.
/// Law: `DrawingEditorTests.undoAndRedoAreInverse`.
public struct DrawingEditor: Sendable {
    /// The drawing as it is.
    public private(set) var drawing: Drawing
    private var past: [Drawing] = []
    private var future: [Drawing] = []

    /// How many steps can be undone.
    public let depth: Int

    /// An editor of a drawing.
    public init(_ drawing: Drawing = Drawing(), depth: Int = 1000) {
        precondition(depth > 0, "at least one step must be kept, not \(depth)")
        self.drawing = drawing
        self.depth = depth
    }

    /// A change to a drawing. Strokes are known by their index.
    public enum Edit: Hashable, Sendable {
        /// A stroke is added behind all others.
        case add(Stroke)
        /// A stroke is taken out.
        case remove(Int)
        /// A stroke's points move in their plane's x and z, in metres.
        case move(Int, by: Vector2)
        /// A stroke gets another colour.
        case recolor(Int, StrokeColor)
        /// A stroke gets another width, in metres.
        case setWidth(Int, Double)
        /// A stroke gets another height, in metres.
        case setHeight(Int, Double)
        /// A stroke is filled, or not any more.
        case fill(Int, Bool)
        /// What lies within a ball is rubbed out: see ``Drawing/erase(around:radius:)``.
        case erase(around: Point3, radius: Double)
        /// All strokes are taken out.
        case clear
    }

    /// Whether there is a step to undo.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether there is a step to do again.
    public var canRedo: Bool { !future.isEmpty }

    /// Changes the drawing. What was undone before is forgotten. An edit that changes nothing is no step.
    public mutating func apply(_ edit: Edit) {
        var changed = drawing
        changed.apply(edit)
        guard changed != drawing else { return }
        past.append(drawing)
        if past.count > depth { past.removeFirst() }
        future = []
        drawing = changed
    }

    /// Takes the last step back; without one, nothing happens.
    public mutating func undo() {
        guard let previous = past.popLast() else { return }
        future.append(drawing)
        drawing = previous
    }

    /// Does the step again that was undone last; without one, nothing happens.
    public mutating func redo() {
        guard let next = future.popLast() else { return }
        past.append(drawing)
        drawing = next
    }
}

extension Drawing {
    /// Changes the drawing. Indices must be those of strokes, widths and heights above zero.
    public mutating func apply(_ edit: DrawingEditor.Edit) {
        switch edit {
        case .add(let stroke): strokes.append(stroke)
        case .remove(let index): strokes.remove(at: checked(index))
        case .move(let index, let offset):
            for point in strokes[checked(index)].points.indices { strokes[index].points[point].position += offset }
        case .recolor(let index, let color): strokes[checked(index)].color = color
        case .setWidth(let index, let width):
            precondition(width > 0 && width.isFinite, "a pen's width must be above zero, not \(width)")
            strokes[checked(index)].width = width
        case .setHeight(let index, let height):
            precondition(height > 0 && height.isFinite, "a stroke's height must be above zero, not \(height)")
            strokes[checked(index)].height = height
        case .fill(let index, let isFilled): strokes[checked(index)].isFilled = isFilled
        case .erase(let center, let radius): erase(around: center, radius: radius)
        case .clear: strokes = []
        }
    }

    private func checked(_ index: Int) -> Int {
        precondition(strokes.indices.contains(index), "stroke \(index) of \(strokes.count) does not exist")
        return index
    }
}
