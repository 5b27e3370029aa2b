// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation

/// A square in which cascades may have seen a face.
struct FaceCandidate: Hashable, Sendable {
    /// Where, how large and how rolled.
    var pose: HeadPose
    /// In how many windows.
    var windowCount: Int
}

/// One way of going through a picture for faces.
struct FaceScan: Hashable, Sendable {
    /// Which of the models looks.
    enum Model: Hashable, Sendable { case trees, stumps, patterns }
    var model: Model
    /// The roll of the faces that are upright for the model, in radians.
    var roll: Double
    /// How large squares are looked at, in pixels.
    var sides: ClosedRange<Double>

    /// How much larger squares become from one size to the next.
    private static let step = 1.1

    /// The windows in which the model sees a face, each as a head.
    func windows(in image: ImageBuffer, models: FaceModels) -> [HeadPose] {
        let (cascade, relativeSide) =
            switch model {
            case .trees: (models.trees, 1.0)
            case .stumps: (models.stumps, 1 / 0.93)
            case .patterns: (models.patterns, 1 / 0.95)
            }
        guard roll != 0 else {
            return cascade.windows(in: image, sides: sides, step: Self.step).map {
                HeadPose($0, relativeSide: relativeSide)
            }
        }
        // The picture about its middle, turned back by the roll, on a canvas that holds its corners.
        let (c, s) = (cos(roll), sin(roll))
        let (width, height) = (Double(image.size.width), Double(image.size.height))
        let size = ImageSize(
            width: Int(abs(c) * width + abs(s) * height) + 1, height: Int(abs(s) * width + abs(c) * height) + 1)
        guard size.canBeSearched else { return [] }
        let middle = Vector2(width - 1, height - 1) / 2
        let turnedMiddle = Vector2(Double(size.width - 1), Double(size.height - 1)) / 2
        let offset = middle - Vector2(c * turnedMiddle.x + s * turnedMiddle.y, c * turnedMiddle.y - s * turnedMiddle.x)
        let map = CFacesMap(xx: c, xy: s, x: offset.x, yx: -s, yy: c, y: offset.y)
        let turned = image.resampled(through: map, size: size)
        return cascade.windows(in: turned, sides: sides, step: Self.step).map {
            let pose = HeadPose($0, relativeSide: relativeSide)
            let p = pose.center
            return HeadPose(
                center: Vector2(c * p.x + s * p.y, c * p.y - s * p.x) + offset, side: pose.side,
                cameraFromHead: Rotation(EulerAngles(pitch: 0, yaw: 0, roll: roll)))
        }
    }
}

extension HeadPose {
    /// An upright face in a cascade's window.
    init(_ window: CFacesWindow, relativeSide: Double) {
        self.init(
            center: Vector2(
                window.left_px + window.width_px / 2 - 0.5, window.top_px + window.height_px / 2 - 0.5),
            side: window.width_px / relativeSide, cameraFromHead: .identity)
    }

    /// Whether two squares mean the same face, by their distance in parts of the lesser side and by their sizes.
    func isNear(_ other: HeadPose, distance: Double = 0.3, sizes: Double = 0.35) -> Bool {
        (center - other.center).length < distance * min(side, other.side) && abs(log(side / other.side)) < sizes
    }
}

extension [HeadPose] {
    /// Windows brought together that mean the same face, the most of them first; of equally many, the first found.
    func grouped() -> [FaceCandidate] {
        var neighbors = [[Int]](repeating: [], count: count)
        for i in indices {
            for j in i..<count where self[i].isNear(self[j]) {
                neighbors[i].append(j)
                if i != j { neighbors[j].append(i) }
            }
        }
        var isLeft = [Bool](repeating: true, count: count)
        var remaining = neighbors.map(\.count)
        var groups: [FaceCandidate] = []
        while let densest = indices.filter({ isLeft[$0] }).max(by: { (remaining[$0], $1) < (remaining[$1], $0) }) {
            let members = neighbors[densest].filter { isLeft[$0] }
            for member in members {
                isLeft[member] = false
                for neighbor in neighbors[member] { remaining[neighbor] -= 1 }
            }
            groups.append(FaceCandidate(pose: median(of: members), windowCount: members.count))
        }
        return groups
    }

    /// How many windows are roughly where a face is.
    func support(of pose: HeadPose) -> Int { count { $0.isNear(pose, distance: 0.5, sizes: 0.6) } }

    private func median(of members: [Int]) -> HeadPose {
        func median(_ value: (HeadPose) -> Double) -> Double {
            members.map { value(self[$0]) }.sorted()[members.count / 2]
        }
        let roll = members.reduce(0) { $0 + self[$1].cameraFromHead.eulerAngles.roll } / Double(members.count)
        return HeadPose(
            center: Vector2(median(\.center.x), median(\.center.y)), side: median(\.side),
            cameraFromHead: Rotation(EulerAngles(pitch: 0, yaw: 0, roll: roll)))
    }
}
