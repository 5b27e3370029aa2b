// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a patch of a picture looks: along which lines, whatever it shows.
struct PatchLines {
    /// The middle of the patch in the picture.
    let column: Int
    let row: Int
    let eye: Point3
    /// In the world's axes: the directions of the middle, and of the middles of the right and the lower rim.
    fileprivate let middle, right, below: Vector3

    /// `nil` where the picture does not hold the patch, or not all of it looks anywhere.
    init?(atColumn column: Int, row: Int, in picture: KeyPicture) {
        let arm = PatchComparison.radius
        guard column >= arm, row >= arm, column + arm < picture.picture.width, row + arm < picture.picture.height else {
            return nil
        }
        let worldFromOptical = picture.worldFromOptical(atRow: Double(row))
        func direction(_ x: Int, _ y: Int) -> Vector3? {
            picture.direction(of: PixelPoint(Double(column + x), Double(row + y))).map {
                worldFromOptical.rotation * $0
            }
        }
        guard let middle = direction(0, 0), let right = direction(arm, 0), let below = direction(0, arm) else {
            return nil
        }
        (self.column, self.row, eye) = (column, row, worldFromOptical.translation)
        (self.middle, self.right, self.below) = (middle, right, below)
    }
}

/// A patch of a picture, and where it lies if the picture shows a known plane there.
struct PlanePatch {
    /// The middle of the patch in the picture.
    let column: Int
    let row: Int
    /// The middle of the patch on the plane, and the middles of its right and its lower rim.
    let place: Point3
    let right: Point3
    let below: Point3
    /// Where the middle were if the plane lay nearer by `displacement` metres.
    let nearer: Point3
    let displacement: Double
    /// The displacement as a part of the plane's distance, and so of the depth.
    static let displacedPart = 0.02

    /// `nil` where the picture shows the plane from behind, from very near, or flatter than 6°, so that a patch is a line.
    init?(of plane: Plane, atColumn column: Int, row: Int, in picture: KeyPicture) {
        guard let lines = PatchLines(atColumn: column, row: row, in: picture) else { return nil }
        self.init(of: plane, along: lines)
    }

    /// The same along lines that are known.
    init?(of plane: Plane, along lines: PatchLines) {
        let height = plane.signedDistance(to: lines.eye)
        let displacement = Self.displacedPart * height
        func pointOnPlane(_ direction: Vector3, displaced: Double = 0) -> Point3? {
            let approach = -direction.dot(plane.normal)
            return approach > 0.1 ? lines.eye + ((height - displaced) / approach) * direction : nil
        }
        guard height > 0.05, let place = pointOnPlane(lines.middle), let right = pointOnPlane(lines.right),
            let below = pointOnPlane(lines.below), let nearer = pointOnPlane(lines.middle, displaced: displacement)
        else { return nil }
        (column, row, self.displacement) = (lines.column, lines.row, displacement)
        (self.place, self.right, self.below, self.nearer) = (place, right, below, nearer)
    }

    /// Whether squares about two patches' middles have pixels in common that reach so many pixels together.
    func overlaps(_ other: PlanePatch, reaching pixels: Int) -> Bool {
        max(abs(column - other.column), abs(row - other.row)) <= pixels
    }

    /// The place on the plane so many pixels to the right of the patch's middle and below it, as far as the patch is an affine image.
    func place(at pixels: Vector2) -> Point3 {
        place + (pixels.x * (right - place) + pixels.y * (below - place)) / Double(PatchComparison.radius)
    }

    /// Half of the patch's width on the plane, in metres.
    var halfWidth: Double { (right - place).length }

    /// The width of a pixel on the plane, in metres.
    var pixelWidth: Double { halfWidth / Double(PatchComparison.radius) }
}

/// How another, older picture must show a patch.
///
/// The plane's homography takes the patch from one picture to the other (Hartley, Zisserman 2004, equation 13.2); over a few
/// pixels it is an affine map. Were the surface nearer or farther, the patch would be shown elsewhere: along a line whose
/// direction and scale two depths tell.
struct PatchView {
    /// The middle.
    private(set) var center: Vector2
    /// How the pixel moves by a column and by a row of the newer picture.
    let byColumn: Vector2
    let byRow: Vector2
    /// How far the patch would be shown aside if it lay a metre in front of the plane, in pixels.
    private(set) var shiftByMetre: Vector2

    /// `nil` where the picture does not show the patch, shows it too differently, or where fewer than so many pixels of shift tell
    /// of a metre.
    init?(of patch: PlanePatch, in picture: KeyPicture, sensitivity: Double) {
        guard let rough = picture.pixel(of: patch.place, from: picture.opticalFromWorld),
            picture.holds(rough, margin: Double(PatchComparison.radius / 2))
        else { return nil }
        let opticalFromWorld = picture.worldFromOptical(atRow: rough.y).inverse
        guard let center = picture.pixel(of: patch.place, from: opticalFromWorld)?.vector,
            let nearer = picture.pixel(of: patch.nearer, from: opticalFromWorld)?.vector
        else { return nil }
        self.center = center
        shiftByMetre = (nearer - center) / patch.displacement
        guard shiftByMetre.length >= sensitivity,
            let right = picture.pixel(of: patch.right, from: opticalFromWorld)?.vector,
            let below = picture.pixel(of: patch.below, from: opticalFromWorld)?.vector
        else { return nil }
        byColumn = (right - center) / Double(PatchComparison.radius)
        byRow = (below - center) / Double(PatchComparison.radius)
        let scale = abs(byColumn.x * byRow.y - byColumn.y * byRow.x)
        guard scale > 0.3, scale < 3, byColumn.length < 2, byRow.length < 2 else { return nil }
    }

    /// The view in pictures of half the size of a patch about the pixel there that holds the patch's middle.
    func halved(_ patch: PlanePatch) -> PatchView {
        // A pixel c of half the size lies at 2 c + 1/2.
        func aside(_ pixel: Int) -> Double { pixel.isMultiple(of: 2) ? 0.5 : -0.5 }
        var view = self
        let moved = center + aside(patch.column) * byColumn + aside(patch.row) * byRow
        view.center = (moved - Vector2(repeating: 0.5)) / 2
        view.shiftByMetre = shiftByMetre / 2
        return view
    }
}
