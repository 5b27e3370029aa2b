// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CPatches

/// A filter that answers in a window of a picture where the patch is, and keeps silent on what surrounded it so far.
///
/// It is trained on the first picture and the newest ones: on the patch, against all else in their windows.
struct PatchFilter: Sendable {
    private let effort: PatchEffort
    /// The side of a cell in the first picture's pixels.
    let cellSize: Double
    private let widthInCells: Double
    private let heightInCells: Double
    private var weights: [Float]
    private var spectra: [Float]
    private var examples: [Example] = []

    private struct Example {
        var window: [Float]
        var place: Vector2
    }

    /// A described window.
    struct Sight {
        /// Around where it was looked.
        var pose: PatchPose
        fileprivate var window: [Float]
        fileprivate var peak: CPatchesPeak

        /// How strongly the filter answered at the best place: about 1 for what it was trained on, about 0 elsewhere.
        var height: Double { peak.height }
        /// How far the best place stands out from the second best: their ratio.
        var distinction: Double { peak.height / max(peak.second_height, 1e-3) }
    }

    /// How far beyond the box the filter sees, in half sizes of the box.
    private static let reach = 1.4
    /// How strongly the filter's weights are held down. The squared features of a window sum up to some hundred.
    private static let ridge = 10.0
    private static let firstIterations = 10
    /// The first example's share: what was marked counts as much as all that came later.
    private static let firstShare = 0.5

    /// A filter for a patch of a picture; `pose` has scale 1.
    init(_ picture: ImageBuffer, at pose: PatchPose, width: Double, height: Double, effort: PatchEffort) {
        self.effort = effort
        let cells = Double(effort.cells)
        let leastMargin = 1.6
        cellSize = max((width * height).squareRoot() * effort.span, max(width, height) * leastMargin) / cells
        (widthInCells, heightInCells) = (width / cellSize, height / cellSize)
        weights = [Float](repeating: 0, count: Int(CPATCHES_CHANNELS) * effort.cells * effort.cells)
        spectra = [Float](repeating: 0, count: Int(cpatches_spectra_floats(Int32(effort.cells))))
        examples = [Example(window: describe(picture, at: pose), place: .zero)]
        train(iterations: Self.firstIterations)
    }

    /// What the filter answers in the window around a pose.
    func look(at picture: ImageBuffer, around pose: PatchPose) -> Sight {
        let window = describe(picture, at: pose)
        var peak = CPatchesPeak()
        check(cpatches_respond(window, spectra, Int32(effort.cells), widthInCells, heightInCells, &peak))
        return Sight(pose: pose, window: window, peak: peak)
    }

    /// Where the filter answered most strongly.
    func answer(in sight: Sight) -> PatchPose {
        var pose = sight.pose
        pose.center = pose.place(right: sight.peak.x_cells * cellSize, down: sight.peak.y_cells * cellSize)
        return pose
    }

    /// Learns that the patch is where the filter answered.
    mutating func learn(_ sight: Sight) {
        if examples.count == effort.exampleCount { examples.remove(at: 1) }
        examples.append(Example(window: sight.window, place: Vector2(sight.peak.x_cells, sight.peak.y_cells)))
        train(iterations: effort.iterations)
    }

    private func describe(_ picture: ImageBuffer, at pose: PatchPose) -> [Float] {
        var frame = pose.frame(step: cellSize)
        let count = spectra.count
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            check(
                picture.withPatchPicture {
                    cpatches_describe(&$0, &frame, Int32(effort.cells), buffer.baseAddress)
                })
            initialized = count
        }
    }

    private mutating func train(iterations: Int) {
        let laterShare = examples.count > 1 ? (1 - Self.firstShare) / Double(examples.count - 1) : 0
        withPointers(to: examples.map(\.window)) { windows in
            let inputs = windows.indices.map { index in
                CPatchesExample(
                    spectra: windows[index], x_cells: examples[index].place.x, y_cells: examples[index].place.y,
                    weight: windows.count == 1 ? 1 : index == 0 ? Self.firstShare : laterShare)
            }
            check(
                cpatches_train(
                    inputs, Int32(inputs.count), Int32(effort.cells), widthInCells, heightInCells, Self.reach,
                    Self.ridge, Int32(iterations), &weights, &spectra))
        }
    }
}

/// Calls a function with pointers to arrays that live until it returns.
private func withPointers<Result>(
    to arrays: [[Float]], _ body: ([UnsafePointer<Float>]) -> Result
) -> Result {
    func gather(_ index: Int, _ pointers: [UnsafePointer<Float>]) -> Result {
        guard index < arrays.count else { return body(pointers) }
        return arrays[index].withUnsafeBufferPointer { gather(index + 1, pointers + [$0.baseAddress!]) }
    }
    return gather(0, [])
}
