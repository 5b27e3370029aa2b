// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Which part of a true plane has come into view.
///
/// The plane is divided into square cells, 64 along the longer side of its bounds. A cell has been seen when in some frame
/// the plane faced the camera, the cell's centre was in the picture, and no other true plane lay before it. Things that are
/// no declared planes hide nothing here, so that a little more counts as seen than was; neither distance nor slant matters.
struct SeenPart: Sendable {
    private let plane: TruePlane
    private let cells: [Cell]
    private var isSeen: [Bool]
    /// The area that a cell stands for: together they are the whole plane.
    private let cellArea: Double

    private struct Cell {
        let place: Point2
        let pointInWorld: Point3
    }

    init(of plane: TruePlane) {
        self.plane = plane
        let corners = plane.outline.vertices
        let low = corners.reduce(Point2(repeating: .infinity)) { pointwiseMin($0, $1) }
        let size = corners.reduce(Point2(repeating: -.infinity)) { pointwiseMax($0, $1) } - low
        let side = max(size.x, size.y) / 64
        let (columns, rows) = side > 0 ? (Int((size.x / side).rounded(.up)), Int((size.y / side).rounded(.up))) : (0, 0)
        cells = (0..<rows * columns).compactMap { index in
            let place = low + side * Point2(Double(index % columns) + 0.5, Double(index / columns) + 0.5)
            return plane.outline.contains(place) ? Cell(place: place, pointInWorld: plane.pointInWorld(place)) : nil
        }
        isSeen = [Bool](repeating: false, count: cells.count)
        cellArea = cells.isEmpty ? 0 : plane.area / Double(cells.count)
    }

    /// The area that has been seen, in square metres.
    var area: Double { Double(isSeen.count { $0 }) * cellArea }

    /// The part of the plane that has been seen, 0 … 1.
    var fraction: Double { cells.isEmpty ? 0 : Double(isSeen.count { $0 }) / Double(cells.count) }

    /// The area of a polygon, in the plane's x and z, by the area of it and the seen part together.
    func intersectionOverUnion(with polygon: Polygon2) -> Double {
        let common = zip(cells, isSeen).count { $1 && polygon.contains($0.place) }
        return Polygon2.intersectionOverUnion(Double(common) * cellArea, polygon.area, area)
    }

    /// Looks at the plane from a camera; the part of it that is in view.
    /// - Parameter onlyUnseen: whether cells are passed over that have been seen already, which is much faster; they do
    ///   not count as in view then.
    @discardableResult
    mutating func look(
        with camera: CameraCalibration, at worldFromCamera: RigidTransform, past others: [TruePlane],
        onlyUnseen: Bool = false
    ) -> Double {
        let eye = worldFromCamera.translation
        guard plane.plane.signedDistance(to: eye) > 0, !cells.isEmpty else { return 0 }
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        var count = 0
        for (index, cell) in cells.enumerated() where !(onlyUnseen && isSeen[index]) {
            guard let pixel = camera.camera.project(opticalFromWorld * cell.pointInWorld),
                camera.imageSize.contains(pixel),
                // What is crossed at the end of the way is the cell's own neighbour.
                !others.contains(where: { $0.crossing(from: eye, to: cell.pointInWorld).map { $0 < 0.999 } ?? false })
            else { continue }
            count += 1
            isSeen[index] = true
        }
        return Double(count) / Double(cells.count)
    }
}
