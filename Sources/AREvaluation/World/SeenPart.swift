// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// Which part of a true plane has come into view, and which part of that was seen well.
///
/// The plane is divided into square cells, 64 along the longer side of its bounds. A cell has been seen when in some frame
/// the plane faced the camera, the cell's centre was in the picture, and no other true plane lay before it. Things that are
/// no declared planes hide nothing of that, so that a little more counts as seen than was; neither distance nor slant matters.
/// It was seen well when frames with a pose showed it as ``CellViews`` asks, unhidden: by the depth picture where
/// there is one, else as before.
struct SeenPart: Sendable {
    private let plane: TruePlane
    private let cells: [Cell]
    private var isSeen: [Bool]
    private var views: [CellViews]
    /// The area that a cell stands for: together they are the whole plane.
    private let cellArea: Double

    private struct Cell {
        let place: Point2
        let pointInWorld: Point3
    }

    /// A look at the plane.
    struct Look {
        var camera: CameraCalibration
        var worldFromCamera: RigidTransform
        /// The other true planes.
        var others: [TruePlane]
        /// What each pixel truly sees, where that is known.
        var depth: DepthPicture?
        /// Whether the session had a pose: without one it cannot measure.
        var isTracked = true
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
        views = [CellViews](repeating: CellViews(), count: cells.count)
        cellArea = cells.isEmpty ? 0 : plane.area / Double(cells.count)
    }

    /// The area that has been seen, in square metres.
    var area: Double { Double(isSeen.count { $0 }) * cellArea }

    /// The part of the plane that has been seen, 0 … 1.
    var fraction: Double { cells.isEmpty ? 0 : Double(isSeen.count { $0 }) / Double(cells.count) }

    /// The area that has been seen well, in square metres.
    var wellSeenArea: Double { Double(views.count { $0.areGood }) * cellArea }

    /// The area of a polygon, in the plane's x and z, by the area of it and the seen part together.
    func intersectionOverUnion(with polygon: Polygon2) -> Double {
        let common = zip(cells, isSeen).count { $1 && polygon.contains($0.place) }
        return Polygon2.intersectionOverUnion(Double(common) * cellArea, polygon.area, area)
    }

    /// The same with the part that was seen well; `nil` where nothing was.
    ///
    /// What the polygon holds besides of the true plane is right and was not asked for: it counts neither for nor against. What it
    /// holds beyond the plane counts against it as ever.
    ///
    /// - Parameter overlap: the polygon's overlap with all of the plane, in square metres.
    func intersectionOverUnionWithWellSeen(_ polygon: Polygon2, overlap: Double) -> Double? {
        let asked = wellSeenArea
        guard asked > 0 else { return nil }
        let common = Double(zip(cells, views).count { $1.areGood && polygon.contains($0.place) }) * cellArea
        return common / (asked + max(0, polygon.area - overlap))
    }

    /// Looks at the plane from a camera; the part of it that is in view.
    /// - Parameter onlyUnseen: whether cells are passed over that have been seen well already, which is much faster; they do
    ///   not count as in view then.
    @discardableResult
    mutating func look(_ look: Look, onlyUnseen: Bool = false) -> Double {
        let eye = look.worldFromCamera.translation
        guard plane.plane.signedDistance(to: eye) > 0, !cells.isEmpty else { return 0 }
        let opticalFromWorld = RigidTransform.opticalFromCamera * look.worldFromCamera.inverse
        var count = 0
        for (index, cell) in cells.enumerated() where !(onlyUnseen && isSeen[index] && views[index].areGood) {
            let local = opticalFromWorld * cell.pointInWorld
            guard let pixel = look.camera.camera.project(local), look.camera.imageSize.contains(pixel) else { continue }
            // What is crossed at the end of the way is the cell's own neighbour.
            let isBehind = look.others.contains { other in
                other.crossing(from: eye, to: cell.pointInWorld).map { $0 < 0.999 } ?? false
            }
            if !isBehind {
                count += 1
                isSeen[index] = true
            }
            guard look.isTracked, !views[index].areGood,
                let pixelsByMetre = pixelsByMetre(at: local, opticalFromWorld, look.camera.camera),
                pixelsByMetre >= CellViews.leastPixelsByMetre,
                look.depth.map({ $0.shows(local, at: pixel, pixelsByMetre: pixelsByMetre) }) ?? !isBehind
            else { continue }
            if let direction = (eye - cell.pointInWorld).normalized() { views[index].add(from: direction) }
        }
        return Double(count) / Double(cells.count)
    }

    /// How many pixels a metre of the plane has about a point in optical axes, in the direction in which it has fewest: the smaller
    /// singular value of the projection's Jacobian by the plane's x and z.
    private func pixelsByMetre(at point: Point3, _ opticalFromWorld: RigidTransform, _ camera: Camera) -> Double? {
        guard let shown = camera.projectWithJacobians(point) else { return nil }
        let opticalFromPlane = opticalFromWorld.rotation * plane.declared.worldFromPlane.rotation
        let byPoint = shown.pixelByPoint
        func moved(_ axis: Vector3) -> Vector2 {
            let way = opticalFromPlane * axis
            return way.x * byPoint.x + way.y * byPoint.y + way.z * byPoint.z
        }
        let (a, b) = (moved(Vector3(1, 0, 0)), moved(Vector3(0, 0, 1)))
        let (xx, xy, yy) = (a.squaredLength, a.dot(b), b.squaredLength)
        let smaller = (xx + yy - ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2
        return max(0, smaller).squareRoot()
    }
}

extension DepthPicture {
    /// Whether the pixel that holds a position sees a point in optical axes, rather than something before or behind: within a
    /// centimetre, and as far as the surface goes on within one and a half pixels.
    fileprivate func shows(_ point: Point3, at pixel: PixelPoint, pixelsByMetre: Double) -> Bool {
        guard let metres = metres(at: pixel), metres > 0 else { return false }
        return abs(metres - point.z) <= 0.01 + 1.5 / pixelsByMetre
    }

    /// The depth of the pixel that holds a position; `nil` outside the picture.
    func metres(at pixel: PixelPoint) -> Double? {
        guard size.contains(pixel) else { return nil }
        let column = min(size.width - 1, max(0, Int(pixel.x.rounded())))
        let row = min(size.height - 1, max(0, Int(pixel.y.rounded())))
        return Double(meters[row * size.width + column])
    }
}
