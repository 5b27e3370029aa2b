// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import CPatches

/// Follows a target from picture to picture, from where it was recognised.
///
/// The print itself is aligned with each picture, from coarse to fine, so that errors do not add up; parts that are hidden
/// or glare do not count. It begins where the print would be if it moved on as it did, and where that leads to nothing,
/// where a patch tracker finds the print as a whole again. Only the pixels around the print are looked at. Where too few
/// parts agree there is no sighting, and the next picture is tried from the last; whether the target is found elsewhere is
/// for a ``TargetRecognizer`` to say.
public struct TargetTracker: Sendable {
    /// Which target is followed.
    public let target: TargetIdentity
    /// How many pictures in a row did not show it.
    public private(set) var missedCount = 0

    private let storage: TargetStorage
    private let index: Int
    private var pixelFromPrint: Matrix3x3
    /// How the print's middle moved last, in pixels a picture.
    private var velocity = Vector2.zero
    private var helper: Helper
    private let isInverse: Bool
    private let pictureSize: ImageSize

    /// What finds the print as a whole, after leaps and in blur.
    private struct Helper {
        var patchTracker: PatchTracker?
        /// Where both were when the patch tracker saw a picture last.
        var box: PatchBox
        var pixelFromPrint: Matrix3x3
        /// How many pictures ago that was.
        var age = 0
    }

    /// The share of a print's structured parts that must agree.
    private static let leastAgreement = 0.5
    /// The share of a print's structured parts that must lie inside the picture.
    private static let leastVisibility = 0.3
    /// The patch tracker is shown every so many pictures, so that it knows the print as it looks now.
    private static let helperInterval = 20

    /// A tracker of a target that lies between four corners of a picture. `nil` where the database does not hold the
    /// target, or the corners are no convex quadrilateral.
    ///
    /// - Parameter isInverse: whether light and dark have changed places.
    public init?(
        _ target: TargetIdentity, of database: TargetDatabase, at corners: PixelQuad, in picture: ImageBuffer,
        isInverse: Bool = false
    ) {
        guard let (storage, index) = database.targets.index(named: target.name).map(database.targets.place),
            corners.isConvex,
            let pixelFromPrint = corners.pixelFromUnitSquare
        else { return nil }
        (self.target, self.storage, self.index, self.pixelFromPrint) = (target, storage, index, pixelFromPrint)
        self.isInverse = isInverse
        pictureSize = picture.size
        helper = Self.helper(for: corners, pixelFromPrint, in: picture)
    }

    /// A tracker of what was recognised in a picture.
    public init?(following sighting: TargetSighting, of database: TargetDatabase, in picture: ImageBuffer) {
        self.init(
            sighting.target, of: database, at: sighting.corners, in: picture, isInverse: sighting.isInverse)
    }

    /// The target in the next picture; `nil` where it is not seen, as in a picture of another size than the first.
    ///
    /// - Parameter camera: the camera that took the picture, for poses.
    public mutating func track(_ picture: ImageBuffer, camera: Camera? = nil) -> TargetSighting? {
        guard picture.size == pictureSize else {
            missedCount += 1
            velocity = .zero
            return nil
        }
        helper.age += 1
        var found = aligned(moved(pixelFromPrint, by: velocity), with: picture)
        if found == nil || helper.age >= Self.helperInterval {
            let start = askHelper(picture)
            found = found ?? start.flatMap { aligned($0, with: picture) } ?? aligned(pixelFromPrint, with: picture)
        }
        guard let found else {
            missedCount += 1
            velocity = .zero
            return nil
        }
        keep(found, picture)
        missedCount = 0
        return found.sighting(of: target, in: storage, camera: camera)
    }

    private mutating func keep(_ found: TargetFinding, _ picture: ImageBuffer) {
        let middle = Vector2(0.5, 0.5)
        if missedCount == 0, let now = found.pixelFromPrint.image(of: middle),
            let then = pixelFromPrint.image(of: middle)
        {
            velocity = now - then
        }
        pixelFromPrint = found.pixelFromPrint
        // It was asked just now, and answered or lost the print.
        guard helper.age == 0 || helper.age >= Self.helperInterval else { return }
        if helper.patchTracker?.patch.isLost ?? true || !helper.box.isLike(found.corners) {
            helper = Self.helper(for: found.corners, pixelFromPrint, in: picture)
        }
        helper.pixelFromPrint = pixelFromPrint
    }

    private func moved(_ place: Matrix3x3, by shift: Vector2) -> Matrix3x3 {
        Matrix3x3(rows: Vector3(1, 0, shift.x), Vector3(0, 1, shift.y), Vector3(0, 0, 1)) * place
    }

    /// Where the patch tracker says that the print is, as far as shift, turn and growth can say. `nil` where it is lost.
    private mutating func askHelper(_ picture: ImageBuffer) -> Matrix3x3? {
        guard let patch = helper.patchTracker?.track(picture), !patch.isLost else { return nil }
        defer { helper.box = patch.box }
        helper.age = 0
        helper.pixelFromPrint = patch.box.pixelFromPixel(of: helper.box) * helper.pixelFromPrint
        return helper.pixelFromPrint
    }

    /// A patch tracker of a quadrilateral, if the picture shows enough of it.
    private static func helper(
        for corners: PixelQuad, _ pixelFromPrint: Matrix3x3, in picture: ImageBuffer
    ) -> Helper {
        let box = PatchBox(around: corners, within: picture.size)
        var configuration = PatchTracker.Configuration()
        // A target that is not around its last place is looked for by its features.
        configuration.searchesWholePicture = false
        return Helper(
            patchTracker: PatchTracker(picture, box: box, configuration: configuration), box: box,
            pixelFromPrint: pixelFromPrint)
    }

    /// The print where the picture shows it, close to a start.
    private func aligned(_ start: Matrix3x3, with picture: ImageBuffer) -> TargetFinding? {
        guard var place = PrintPlace(start), place.corners != nil else { return nil }
        let fit = storage.withTemplate(at: index) { template in
            var print = CPatchesPrint(
                pixels: template.pixels, width: Int32(template.width), height: Int32(template.height))
            return picture.withPatchPicture { place.align(&print, with: &$0, isInverse: isInverse) }
        }
        guard Double(fit.structured) >= Self.leastAgreement, Double(fit.visible) >= Self.leastVisibility,
            let corners = place.corners
        else { return nil }
        return TargetFinding(
            target: index, confidence: Double(fit.structured), pixelFromPrint: place.pixelFromPrint, corners: corners,
            support: Int(fit.part_count), isInverse: isInverse, deviation: Double(fit.deviation_px),
            partCount: Int(fit.part_count))
    }
}
