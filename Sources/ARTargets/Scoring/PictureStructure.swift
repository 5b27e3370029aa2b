// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The corners of a picture, as a camera sees them from so far away that the print has a certain size: what it can be
/// recognised by.
///
/// Nothing of this depends on how targets are recognised today; so what is made of it stays the same from version to version.
struct PictureStructure: Sendable {
    /// A corner.
    struct Feature: Sendable {
        /// Where it is, in parts of the picture's width and height.
        let place: Vector2
        /// How much of it remains under noise, 0 … 1.
        let contrast: Double
        /// How many other corners look the same, turned or not.
        var twinCount = 0
    }

    /// The corners, strongest first.
    private(set) var features: [Feature] = []
    /// The standard deviation of the grey values.
    let contrast: Double

    /// The pixels of the longer side: a print that fills a fifth of a picture's height of 480 rows.
    static let side = 96
    /// From this likeness on two corners look the same.
    private static let leastLikeness: Float = 0.9

    init(of plane: GrayPlane) {
        contrast = plane.standardDeviation
        let found = CornerFeatures(of: plane)
        features = found.corners.map { corner in
            Feature(
                place: Vector2(
                    (Double(corner.x) + 0.5) / Double(plane.size.width),
                    (Double(corner.y) + 0.5) / Double(plane.size.height)),
                contrast: Double(corner.strength / (corner.strength + Corners.middlingStrength)))
        }
        for first in features.indices {
            for second in features.indices.dropFirst(first + 1)
            where found.likeness(of: first, to: second, of: found) >= Self.leastLikeness {
                features[first].twinCount += 1
                features[second].twinCount += 1
            }
        }
    }

    /// Which part of the features has a twin; zero without any.
    var repeatedPart: Double {
        features.isEmpty ? 0 : Double(features.count { $0.twinCount > 0 }) / Double(features.count)
    }
}

extension GrayPlane {
    /// The standard deviation of the values.
    var standardDeviation: Double {
        let count = Double(max(values.count, 1))
        let mean = values.reduce(0.0) { $0 + Double($1) } / count
        return (values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
    }
}
