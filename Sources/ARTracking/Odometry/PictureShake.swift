// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How far pictures are turned or moved against the device by themselves, from frame to frame: by a lens that steadies them, by stamps that
/// err while the device turns, by a mount that gives.
///
/// All points of such a picture lie beside their places together, and each of them, and the gyroscope, would seem wrong. So the part
/// of the landmarks' errors that they have in common, their median, is compared with what the filter expects of it.
///
/// A camera that is turned by δ moves what it shows at z, the angle's tangent from the centre, by (1 + z zᵀ) c with c as it lies aside at the centre;
/// a lens that moves across its sensor moves all of it by c. Which of both they do, the sum over frames of how z zᵀ c is found again in
/// what points lie aside besides tells: a share from 0 to 1, at first 1.
///
/// Laws: `PictureShakeTests`, `OdometryTests.aLensMayShake`, `.aLensMayMove`.
struct PictureShake: Sendable {
    /// About each axis, in rad².
    var variance: Double { isBeyondLens ? 0 : unexpected.value }
    private var unexpected: UnexpectedVariance
    /// What lies in the middle of the newest picture lies aside by so much; zero where that is not known.
    private var atCenter = Vector2.zero
    /// How much of the picture's turn is found in it, as a sum over frames: by its error and by how well the frames tell it.
    private var turnMoment = 1.0
    private var turnWeight = 1.0
    /// Whether the newest picture lies farther aside than a lens moves it.
    private var isBeyondLens = false
    private var sights: [Sight] = []
    /// By more than this, in radians, no lens moves a picture: what is seen then was seen elsewhere, or moves with the camera.
    private static let largest = 0.02
    /// How much of what earlier frames told of it remains from one frame to the next.
    private static let remains = 0.99
    /// A squared error so many times as large as the median is of a point that moves otherwise.
    private static let beyondUsual = 9.0
    /// Kept, so that no frame allocates it.
    private var sorted: [Double] = []

    private struct Sight {
        var angle, place: Vector2
        var variance, noise: Double

        /// By how much more than the picture's centre it lies aside where the picture is turned.
        func turn(by angle: Vector2) -> Vector2 { place.dot(angle) * place }
    }

    /// Pictures that shake by a standard deviation about each axis, in radians.
    init(deviation: Double = 0) { unexpected = UnexpectedVariance(deviation * deviation) }

    /// Hears how far a landmark is seen beside where it should be, in radians, how far it could be, and its own noise, in rad², and how far it is
    /// seen from the picture's centre, over the focal length.
    mutating func hear(_ angle: Vector2, variance: Double, noise: Double, fromCenter place: Vector2) {
        sights.append(Sight(angle: angle, place: place, variance: variance, noise: noise))
    }

    /// By how much more, over the focal length, a point of the newest picture would lie aside if that were turned and not moved.
    func missingTurn(at place: Vector2) -> Vector2 {
        variance > 0 ? (1 - turnedShare) * place.dot(atCenter) * place : .zero
    }

    /// How much of what pictures lie aside is a turn.
    private var turnedShare: Double { min(max(turnMoment / turnWeight, 0), 1) }

    /// Learns from all that was heard of a frame, and forgets it. Few points do not tell what they have in common.
    mutating func learn() {
        defer { sights.removeAll(keepingCapacity: true) }
        (atCenter, isBeyondLens) = (.zero, false)
        guard sights.count >= UsualNoise.leastCount else { return }
        let common = Vector2(sorted.median(of: sights) { $0.angle.x }, sorted.median(of: sights) { $0.angle.y })
        isBeyondLens = common.length > Self.largest
        guard !isBeyondLens else { return }
        unexpected.hear(
            square: common.squaredLength / 2, variance: sorted.median(of: sights) { $0.variance },
            noise: sorted.median(of: sights) { $0.noise }, count: sights.count)
        if variance > 0 { learnTurnedShare(common) }
    }

    /// Learns from the points that lie aside as most do, and forgets the others.
    ///
    /// - common: what all points lie aside by together.
    private mutating func learnTurnedShare(_ common: Vector2) {
        let usual = sorted.median(of: sights) { ($0.angle - common).squaredLength }
        sights.removeAll { ($0.angle - common).squaredLength > Self.beyondUsual * usual }
        atCenter = common - turnedShare * meanTurn(by: common)
        let meanTurn = meanTurn(by: atCenter)
        turnMoment *= Self.remains
        turnWeight *= Self.remains
        for sight in sights {
            let weight = 1 / (sight.variance + sight.noise)
            let turn = sight.turn(by: atCenter) - meanTurn
            turnMoment += weight * (sight.angle - common).dot(turn)
            turnWeight += weight * turn.squaredLength
        }
    }

    private func meanTurn(by angle: Vector2) -> Vector2 {
        sights.reduce(.zero) { $0 + $1.turn(by: angle) } / Double(sights.count)
    }
}
