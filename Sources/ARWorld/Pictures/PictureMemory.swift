// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking

/// The last key pictures, and how far the newest one has been looked at.
///
/// A picture is kept when the camera has moved by a part of the distance of what it sees, or has turned: both make old
/// pictures useful for what is near and what is far.
struct PictureMemory: Sendable {
    /// The newest last.
    private(set) var pictures: [KeyPicture] = []
    private var count = 0
    private var framesSinceLast = 0
    private var lastFrame: TrackedFrame?
    /// Whether tracking was lost since the last picture.
    private(set) var isResuming = false
    /// How many places of the newest picture have been visited.
    private var visits = 0
    /// The way to things in view, in metres: the last frame that saw any told it.
    private(set) var distance = 1.0

    /// The way between two, as a part of the distance of what is seen.
    private static let spacing = 0.04
    /// The turn after which a picture is kept in any case, in radians.
    private static let turn = 0.15
    /// The fewest frames from one to the next.
    private static let leastFrames = 3

    /// Takes in a tracked frame; says whether its picture was kept.
    mutating func take(_ frame: TrackedFrame, _ picture: FramePicture) {
        defer { lastFrame = frame }
        framesSinceLast += 1
        guard let motion = motion(at: frame, readoutSeconds: picture.readoutSeconds) else { return }
        learnDistance(from: frame)
        let pose = frame.worldFromOptical
        if let last = pictures.last, !isResuming {
            let way = last.worldFromOptical.inverse * pose
            guard framesSinceLast >= Self.leastFrames,
                way.translation.length >= Self.spacing * distance || way.rotation.angle >= Self.turn
            else { return }
        }
        count += 1
        pictures = pictures.filter(isKept)
        pictures.append(
            KeyPicture(
                number: count, picture: SmoothedPicture(picture.image), camera: frame.camera, worldFromOptical: pose,
                motion: motion, readoutSeconds: picture.readoutSeconds,
                sightings: Dictionary(
                    frame.sightings.map { ($0.id, $0.pixel) }, uniquingKeysWith: { first, _ in first })))
        let isAligned = pictures.indices.map { pictures[$0].align(to: frame.featurePoints) }
        if isResuming {
            pictures = zip(pictures, isAligned).filter { $0.number == count || $1 }.map(\.0)
            isResuming = false
        }
        (framesSinceLast, visits) = (0, 0)
    }

    /// How the camera moves while a frame's rows are exposed, as far as that matters: of the pose in its own axes, per
    /// second. `nil` where no frame of the last fifth of a second tells it.
    private func motion(at frame: TrackedFrame, readoutSeconds: Double) -> Twist? {
        guard readoutSeconds != 0 else { return .zero }
        guard let lastFrame, frame.timestamp > lastFrame.timestamp else { return nil }
        let seconds = frame.timestamp.seconds(since: lastFrame.timestamp)
        guard seconds < 0.2 else { return nil }
        return (1 / seconds) * (lastFrame.worldFromOptical.inverse * frame.worldFromOptical).twist
    }

    /// Whether a picture is kept beside the newest, which has the number ``count``: of the last seven all, of those before every second,
    /// then every fourth, sixteen together. Where what is near decides how far apart pictures are taken, many of them lie between two
    /// that tell the depths of what is far. Law: `KeyPictureTests.picturesThinOutWithTheirAge`.
    private func isKept(_ picture: KeyPicture) -> Bool {
        let age = count - picture.number
        let spacing = age < 8 ? 1 : age < 16 ? 2 : 4
        return age < 32 && picture.number % spacing == 0
    }

    /// Notes that tracking was lost: between poses before and after, the tracker may have corrected itself. How the camera moved is
    /// forgotten, and with the next picture those that show fewer than six of today's points where they lie: until it comes,
    /// nothing tells where theirs are.
    mutating func pause() {
        lastFrame = nil
        isResuming = true
    }

    private mutating func learnDistance(from frame: TrackedFrame) {
        guard !frame.featurePoints.isEmpty else { return }
        let eye = frame.worldFromCamera.translation
        let distances = frame.featurePoints.map { ($0.position - eye).length }.sorted()
        distance = min(max(distances[distances.count / 2], 0.2), 5)
    }

    /// The next place of the newest picture that is to be looked at: all places of a grid come once, in an order that
    /// covers the picture evenly from the first on; `nil` when all have come.
    mutating func nextPlace() -> (column: Int, row: Int)? {
        guard let newest = pictures.last?.picture else { return nil }
        let (columns, rows) = (newest.width / Self.pitch, newest.height / Self.pitch)
        guard visits < columns * rows else { return nil }
        defer { visits += 1 }
        // A step near the golden section of the whole that has no divisor in common with it meets each place once.
        var step = Int(0.618 * Double(columns * rows)) | 1
        while Self.commonDivisor(step, columns * rows) > 1 { step += 2 }
        // Each picture begins elsewhere, so that what one leaves out another one visits.
        let place = (visits + count * 37) * step % (columns * rows)
        return (place % columns * Self.pitch + Self.pitch / 2, place / columns * Self.pitch + Self.pitch / 2)
    }

    /// Pixels between the places.
    static let pitch = 16

    private static func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }

    /// What the pictures say of a patch of a plane that the newest one may show: the latest of the older pictures that
    /// tells depths apart well enough answers. Where the pattern is too smooth or too faint for its steps, the pictures of half the size
    /// are asked, and one that shows steps of one pixel, and of two. `nil` when none answers.
    ///
    /// Of half the size a patch holds more of its surroundings: it speaks for the plane, never against it.
    func look(at patch: PlanePatch, comparison: inout PatchComparison) -> PatchLook? {
        guard let newest = pictures.last else { return nil }
        let depthStep = depthStep(at: (patch.place - newest.worldFromOptical.translation).length)
        var (needed, ambiguous) = (Self.leastPixelStep, PatchLook?.none)
        for index in pictures.indices.dropLast().reversed() {
            guard pictures[index].greatestShift(of: patch) * depthStep >= needed,
                let view = PatchView(of: patch, in: pictures[index], sensitivity: needed / depthStep)
            else { continue }
            let eyes = [newest, pictures[index]].map(\.worldFromOptical.translation)
            let older = pictures[index].picture
            let sensitivity = view.shiftByMetre.length
            let greatestStep = sensitivity * depthStep
            let fineStep = min(1, greatestStep)
            guard
                let verdict = comparison.verdict(
                    on: patch, in: newest.picture, as: view, in: older, pixelStep: fineStep)
            else { continue }
            var look = PatchLook(verdict: verdict, metresByStep: fineStep / sensitivity, eyes: eyes)
            if case .shows(let shift) = verdict, look.agrees {
                look.patternPlaces = comparison.patternPlaces(
                    shown: shift, as: view, in: older, pixelStep: fineStep)
            }
            guard case .isAmbiguous = verdict else { return look }
            let coarseStep = min(2, greatestStep)
            let coarse = comparison.coarseVerdict(
                on: patch, in: newest.picture, as: view, in: older, pixelStep: coarseStep)
            if let coarse {
                var look = PatchLook(verdict: coarse, metresByStep: coarseStep / sensitivity, eyes: eyes, pixelSize: 2)
                if case .shows(let shift) = coarse, look.agrees {
                    look.patternPlaces = comparison.coarsePatternPlaces(
                        of: patch, shown: shift, as: view, in: older, pixelStep: coarseStep)
                    return look
                }
            }
            ambiguous = look
            guard greatestStep < 2 else { break }
            needed = greatestStep < 1 ? 1 : 2
        }
        return ambiguous
    }

    /// How far apart the depths are that a patch is tried at, at most, in metres: the three on each side of the plane lie within the
    /// ``depthReach(at:)`` then. Every other picture asks for steps smaller by a third, so that a pattern that repeats itself does not
    /// agree twice by the same shift.
    private func depthStep(at distance: Double) -> Double {
        Self.depthReach(at: distance) / 3 / (count % 2 == 0 ? 1 : 1.5)
    }

    /// How far before and behind a place pictures are asked what is there, in metres: 5 cm, far away 3 % of the distance.
    static func depthReach(at distance: Double) -> Double { max(0.05, 0.03 * distance) }

    /// The fewest pixels by which a patch is shown aside from one depth to the next: pictures know their poses no better.
    private static let leastPixelStep = 0.6
}

/// What two pictures say of a patch.
struct PatchLook {
    var verdict: PatchVerdict
    /// How far apart the depths were at which it was tried, in metres.
    var metresByStep: Double
    /// From where the two pictures were taken, the newer one first.
    var eyes: [Point3]
    /// How large the pixels were that were compared, in pixels of the newer picture.
    var pixelSize = 1
    /// Where the pattern is that is alike, in pixels of the newer picture from the patch's middle: where samples of it lie.
    var patternPlaces: [Vector2] = []

    /// Whether the patch is shown on the plane.
    var agrees: Bool {
        guard case .shows(let shift) = verdict else { return false }
        return abs(shift) <= 1
    }

    /// How far the compared pixels reach from the patch's middle.
    var radius: Int { pixelSize * PatchComparison.radius }
}
