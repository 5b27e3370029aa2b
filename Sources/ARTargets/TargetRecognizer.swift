// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures

/// Recognises targets in pictures.
///
/// A picture's features are looked up in the active databases; targets with much in common are placed by what their
/// features agree on, aligned with the picture, and named only when the picture shows, part by part, what is printed.
public struct TargetRecognizer: Sendable {
    /// How carefully is looked.
    public var configuration: Configuration
    private var active: [ActiveDatabase] = []
    private var workspace = RecognitionWorkspace()

    /// A recogniser without targets.
    public init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// The names of the active databases, in the order in which they were activated.
    public var activeDatabases: [String] { active.map(\.name) }

    /// The active database of a name.
    public func database(named name: String) -> TargetDatabase? { active.first { $0.name == name }?.database }

    /// Makes a database's targets recognisable; one that was active under the name is replaced.
    public mutating func activate(_ database: TargetDatabase, as name: String) {
        if let index = active.firstIndex(where: { $0.name == name }) {
            active[index].database = database
        } else {
            active.append(ActiveDatabase(name: name, database: database))
        }
    }

    /// Forgets an active database.
    public mutating func deactivate(_ name: String) { active.removeAll { $0.name == name } }

    /// Adds one target; it belongs to the database of that name, which begins with its first target.
    public mutating func add(_ reference: ReferenceImage, to name: String = "added") throws(TargetDatabaseError) {
        if let database = database(named: name) {
            activate(try database.adding(reference), as: name)
        } else {
            activate(try TargetDatabase(building: [reference]), as: name)
        }
    }

    /// The targets in a picture, the surest first. One may be seen in several places.
    ///
    /// - Parameter camera: the camera that took the picture, for poses.
    public mutating func recognize(in picture: ImageBuffer, camera: Camera? = nil) -> [TargetSighting] {
        guard min(picture.size.width, picture.size.height) >= ScaleSpace.leastSide, !active.isEmpty else { return [] }
        if !isKnownUniquelyReferenced(&workspace) { workspace = RecognitionWorkspace() }
        let space = workspace.space
        space.fill(with: picture, longestSide: configuration.longestSide)
        let features = space.features(
            strongerThan: Float(configuration.leastStrength), directionLimit: 2, limit: configuration.featureLimit)
        let found = active.flatMap { database in
            TargetSearch(
                configuration: configuration, space: space, features: features, pictureSize: picture.size,
                database: database.database
            )
            .findings().map { ($0, database) }
        }
        return Self.undisputed(found).map { finding, database in
            sighting(of: finding, in: database, camera: camera)
        }
    }

    /// Of prints that lie upon each other, the one that fits best.
    private static func undisputed(_ found: [(TargetFinding, ActiveDatabase)]) -> [(TargetFinding, ActiveDatabase)] {
        var kept: [(TargetFinding, ActiveDatabase)] = []
        for candidate in found.enumerated().sorted(by: { a, b in
            a.element.0.confidence != b.element.0.confidence
                ? a.element.0.confidence > b.element.0.confidence : a.offset < b.offset
        }).map(\.element) where !kept.contains(where: { $0.0.overlaps(candidate.0) }) {
            kept.append(candidate)
        }
        return kept
    }

    private func sighting(of finding: TargetFinding, in active: ActiveDatabase, camera: Camera?) -> TargetSighting {
        let storage = active.database.storage
        let size = storage.pictureSize(at: finding.target)
        let pose = camera.flatMap { camera in
            storage.physicalWidth(at: finding.target).flatMap { width in
                PrintPose(
                    pixelFromPrint: finding.pixelFromPrint,
                    physicalSize: Vector2(width, width * Double(size.height) / Double(size.width)), camera: camera,
                    deviation: finding.deviation, partCount: finding.partCount)
            }
        }
        return TargetSighting(
            target: TargetIdentity(database: active.name, name: storage.name(at: finding.target)),
            confidence: finding.confidence, pixelFromPrint: finding.pixelFromPrint, corners: finding.corners,
            inlierCount: finding.support, cameraFromTarget: pose?.cameraFromTarget, covariance: pose?.covariance,
            isInverse: finding.isInverse)
    }
}

private struct ActiveDatabase: Sendable {
    var name: String
    var database: TargetDatabase
}

/// Memory that recognising needs anew for each picture. It holds nothing between two pictures.
private final class RecognitionWorkspace: @unchecked Sendable {
    let space = ScaleSpace()
}
