// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation

/// What looking at a face in many ways tells of it.
struct FaceReading: Hashable, Sendable {
    /// Place, size and turn. It is not told whether the head nods.
    var pose: HeadPose
    /// In how many windows the cascades saw a face while it was rolled, and while it was turned, this way and that.
    var rollVotes, yawVotes: Int

    /// How strongly the votes speak for a face: the logarithm of how many times as many there are as where doubt begins. The
    /// lesser of both counts decides, since what happens to look like a face does so from one direction only.
    var evidence: Double {
        min(log(Double(rollVotes + 1) / Self.doubtfulRollVotes), log(Double(yawVotes + 1) / Self.doubtfulYawVotes))
    }
    private static let doubtfulRollVotes = 20.0
    private static let doubtfulYawVotes = 100.0
}

/// Reads how a face is turned by undoing the turn.
///
/// Cascades that learned upright frontal faces see a face in more windows the more frontal it looks. So the face is turned
/// back by every angle of a range, as the texture of a head-shaped surface, and the angles are averaged with the windows as
/// weights: first over rolls, which also centres the square anew, then over yaws.
struct FaceReader: Sendable {
    let models: FaceModels

    /// The turns that are undone.
    private static let rolls = (-5...5).map { Double($0) * 10 * .pi / 180 }
    private static let yaws = (-5...5).map { Double($0) * 12 * .pi / 180 }
    /// The sides of windows in a frontal view, and how much they grow from one to the next.
    private static let sides = 34.0...60.0
    private static let step = 1.08
    /// The square that `default` draws is so much larger than the one that `alt2` draws.
    private static let stumpsSide = 1 / 0.93
    /// Votes without which the second look is not worth its time.
    private static let leastRollVotes = 4

    /// Reads the face in a square, from any roll within ±50° of the one that is expected; `nil` where the cascades see
    /// nothing that could be one.
    func read(_ start: HeadPose, in image: ImageBuffer) -> FaceReading? {
        guard let patch = FacePatch(around: start.center, side: start.side, in: image) else { return nil }
        let angles = start.cameraFromHead.eulerAngles
        var votes: [Vote] = []
        for turn in Self.rolls {
            let pose = start.turned(EulerAngles(pitch: angles.pitch, yaw: angles.yaw, roll: angles.roll + turn))
            votes += self.votes(for: pose, turn: turn, in: patch)
        }
        guard votes.count >= Self.leastRollVotes else { return nil }
        let rollVotes = votes.count
        let roll = angles.roll + votes.reduce(0) { $0 + $1.turn } / Double(votes.count)
        var pose = HeadPose(
            center: Vector2(Self.median(votes.map(\.center.x)), Self.median(votes.map(\.center.y))),
            side: Self.median(votes.map(\.side)),
            cameraFromHead: Rotation(EulerAngles(pitch: angles.pitch, yaw: angles.yaw, roll: roll)))
        guard let centered = centered(&pose, in: image) else { return nil }
        votes = []
        for turn in Self.yaws where abs(angles.yaw + turn) < 1.3 {
            let turned = pose.turned(EulerAngles(pitch: angles.pitch, yaw: angles.yaw + turn, roll: roll))
            votes += self.votes(for: turned, turn: turn, in: centered)
        }
        guard !votes.isEmpty else { return nil }
        let yaw = angles.yaw + votes.reduce(0) { $0 + $1.turn } / Double(votes.count)
        pose.cameraFromHead = Rotation(EulerAngles(pitch: angles.pitch, yaw: yaw, roll: roll))
        return FaceReading(pose: pose, rollVotes: rollVotes, yawVotes: votes.count)
    }

    /// Moves the square until it lies in the middle of the windows, which are not as many in every size; its surroundings.
    private func centered(_ pose: inout HeadPose, in image: ImageBuffer) -> FacePatch? {
        for _ in 0..<3 {
            guard let patch = FacePatch(around: pose.center, side: pose.side, in: image) else { return nil }
            let votes = self.votes(for: pose, turn: 0, in: patch)
            guard !votes.isEmpty else { return patch }
            let side = Self.median(votes.map(\.side))
            let change = abs(log(side / pose.side))
            pose.center = Vector2(Self.median(votes.map(\.center.x)), Self.median(votes.map(\.center.y)))
            pose.side = side
            if change < 0.06 { break }
        }
        return FacePatch(around: pose.center, side: pose.side, in: image)
    }

    /// A window in which a cascade sees a face after a turn was undone.
    private struct Vote {
        let center: Vector2
        let side: Double
        let turn: Double
    }

    private func votes(for pose: HeadPose, turn: Double, in patch: FacePatch) -> [Vote] {
        let view = patch.frontalView(of: pose)
        let middle = Double(FacePatch.viewSide - 1) / 2
        let matrix = pose.cameraFromHead.matrix
        func vote(_ window: CFacesWindow, relativeSide: Double) -> Vote {
            let x = (window.left_px + window.width_px / 2 - 0.5 - middle) / FacePatch.faceSide
            let y = (middle - (window.top_px + window.height_px / 2 - 0.5)) / FacePatch.faceSide
            let turned = matrix * Vector3(x, y, 0)
            return Vote(
                center: pose.center + pose.side * Vector2(turned.x, -turned.y),
                side: window.width_px / relativeSide / FacePatch.faceSide * pose.side, turn: turn)
        }
        return models.trees.windows(in: view, sides: Self.sides, step: Self.step).map { vote($0, relativeSide: 1) }
            + models.stumps.windows(in: view, sides: Self.sides, step: Self.step).map {
                vote($0, relativeSide: Self.stumpsSide)
            }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension HeadPose {
    /// The same place and size, turned otherwise.
    func turned(_ angles: EulerAngles) -> HeadPose {
        HeadPose(center: center, side: side, cameraFromHead: Rotation(angles))
    }
}
