// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures
import Foundation

/// Chooses the features by which a print is recognised: those that many views of it have in common.
struct TargetTraining {
    /// The longer side of the picture that is looked at.
    static let pictureSide = 320
    /// How many features a target keeps.
    static let postingLimit = 480
    /// How many looks of one place are kept.
    static let looksOfPlace = 8

    /// The features of a picture, as the index holds them, of the target of that number.
    static func postings(of picture: ImageBuffer, target: UInt32, space: ScaleSpace) -> [CFeaturesPosting] {
        let gray = picture.gray(longerSide: pictureSide)
        var places: [Place] = []
        for (number, view) in TrainingView.all.enumerated() {
            let (image, pictureFromView) = view.render(gray)
            space.fill(with: image, longestSide: .max, strongerThan: 1.2)
            for feature in space.features(directionLimit: 2, limit: 400) {
                guard let sight = Sight(feature, pictureFromView: pictureFromView, picture: gray.size) else { continue }
                if let index = places.firstIndex(where: { $0.first.isSamePlace(as: sight) }) {
                    places[index].add(sight, view: number)
                } else {
                    places.append(Place(first: sight, views: 1 << UInt64(number), looks: [sight]))
                }
            }
        }
        return selection(of: places).map { $0.posting(target: target) }
    }

    /// First looks of all places before second ones; of equals, those of places that more views have in common.
    private static func selection(of places: [Place]) -> [Sight] {
        var ranked: [(rank: Int, views: Int, order: Int, sight: Sight)] = []
        for place in places {
            for (rank, look) in place.looks.enumerated() {
                ranked.append((rank, place.views.nonzeroBitCount, ranked.count, look))
            }
        }
        ranked.sort { a, b in
            let (first, second) = (a.views - 2 * a.rank, b.views - 2 * b.rank)
            return first != second ? first > second : a.order < b.order
        }
        return ranked.prefix(postingLimit).map(\.sight)
    }
}

/// A feature of a view, brought back to the picture.
private struct Sight {
    /// In pixels of the picture that is looked at.
    let center: Vector2
    let along: Vector2
    let across: Vector2
    let picture: ImageSize
    let signature: (UInt64, UInt64)

    init?(_ feature: CFeature, pictureFromView m: [Double], picture: ImageSize) {
        func map(_ x: Double, _ y: Double) -> Vector2 { Vector2(m[0] * x + m[1] * y, m[3] * x + m[4] * y) }
        center = map(Double(feature.x_px), Double(feature.y_px)) + Vector2(m[2], m[5])
        guard center.x >= 0, center.y >= 0, center.x <= Double(picture.width - 1),
            center.y <= Double(picture.height - 1)
        else { return nil }
        let (c, s) = (
            Double(feature.scale_px) * cos(Double(feature.angle_rad)),
            Double(feature.scale_px) * sin(Double(feature.angle_rad))
        )
        along = map(c, s)
        across = map(-s, c)
        self.picture = picture
        signature = feature.signature
    }

    var size: Double { abs(along.cross(across)).squareRoot() }

    func isSamePlace(as other: Sight) -> Bool {
        let (size, otherSize) = (size, other.size)
        let offset = center - other.center
        guard offset.squaredLength < 0.25 * size * size, size < 1.4 * otherSize, otherSize < 1.4 * size else {
            return false
        }
        return along.dot(other.along) > 0.88 * along.length * other.along.length
    }

    func differentBits(from other: Sight) -> Int {
        (signature.0 ^ other.signature.0).nonzeroBitCount + (signature.1 ^ other.signature.1).nonzeroBitCount
    }

    func posting(target: UInt32) -> CFeaturesPosting {
        let (width, height) = (Double(picture.width), Double(picture.height))
        func part(_ value: Double) -> UInt16 { UInt16(min(max(value * 65535, 0), 65535).rounded()) }
        func step(_ value: Double) -> Int16 { Int16(min(max(value * 32767, -32767), 32767).rounded()) }
        return CFeaturesPosting(
            signature: signature, x: part((center.x + 0.5) / width), y: part((center.y + 0.5) / height),
            along_x: step(along.x / width), along_y: step(along.y / height), across_x: step(across.x / width),
            across_y: step(across.y / height), target: target)
    }
}

/// A place of the print that stands out, and what it looks like.
private struct Place {
    let first: Sight
    /// One bit for each view in which it was found.
    var views: UInt64
    /// Looks that differ from each other.
    var looks: [Sight]

    mutating func add(_ sight: Sight, view: Int) {
        views |= 1 << UInt64(view)
        guard looks.count < TargetTraining.looksOfPlace else { return }
        if looks.allSatisfy({ $0.differentBits(from: sight) > 12 }) { looks.append(sight) }
    }
}
