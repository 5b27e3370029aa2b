// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// A row of a shot: from where, and when, its pixels look.
struct RowView {
    let row: Int
    let worldFromCamera: RigidTransform
    let axes: Matrix3x3
    let time: Double
    /// Rows with the same pose have the same number, and no others have had it.
    let poseNumber: Int
    private let floatAxes: FloatAxes
    private let sample: PixelSample
    private let floatOffset: SIMD2<Float>
    private let floatSide: Float
    private let rays: PixelRays

    /// A row; valid as long as the table.
    init(_ row: Int, of shot: Shot, table: RayTable, poseNumber: Int = 0) {
        self.row = row
        self.poseNumber = poseNumber
        rays = table.rays
        worldFromCamera = shot.worldFromCameraByRow[row]
        axes = worldFromCamera.rotation.matrix
        floatAxes = FloatAxes(axes)
        time = shot.time(ofRow: row)
        sample = shot.sample
        floatOffset = SIMD2<Float>(sample.offset)
        floatSide = Float(sample.side)
    }

    /// Where the camera is.
    var origin: Point3 { worldFromCamera.translation }

    /// Whether the camera model has a direction for the pixel.
    @inline(__always) func isValid(_ column: Int) -> Bool {
        rays.direction(column: column, row: row, offset: .zero) != .zero
    }

    /// A sample's direction in the camera's axes, in double precision.
    @inline(__always) func directionInCamera(_ column: Int) -> Vector3 {
        rays.direction(column: column, row: row, offset: sample.offset)
    }

    /// The same in the world's axes.
    @inline(__always) func direction(_ column: Int) -> Vector3 { axes * directionInCamera(column) }

    private var isWhole: Bool { floatOffset == .zero && floatSide == 1 }

    /// The view of the part of a pixel that is seen, in the camera's axes.
    @inline(__always) func view(_ column: Int) -> PixelView {
        let view = rays.view(column: column, row: row)
        return isWhole ? view : view.part(at: floatOffset, side: floatSide)
    }

    /// Whether the row looks elsewhere than the table's.
    var isComputed: Bool { !isWhole || rays.hasGaps }

    /// The table's row.
    var tableRow: CRaycastPixelRow {
        CRaycastPixelRow(
            directions: rays.vectors(row: row, column: 0), next_column: rays.vectors(row: row, column: 1),
            next_row: rays.vectors(row: row + 1, column: 0))
    }

    /// The same view in the world's axes.
    @inline(__always) func inWorld(_ view: PixelView) -> PixelView { view.mapped(by: floatAxes) }
}
