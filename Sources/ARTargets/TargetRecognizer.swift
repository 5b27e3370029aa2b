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

    /// Adds one target; it belongs to the database of that name, which begins with its first target. Besides training on the
    /// picture this costs O(log n) of n targets that were added, amortised: now and then all n are put together anew.
    public mutating func add(_ reference: ReferenceImage, to name: String = "added") throws(TargetDatabaseError) {
        if let database = database(named: name) {
            activate(try database.adding(reference), as: name)
        } else {
            activate(try TargetDatabase(building: [reference]), as: name)
        }
    }

    /// Removes a target from the database of that name, whose file stays as it is; `false` where there is none. A database
    /// without targets stays active. The next picture costs a copy of the features that the target was put together with,
    /// about 15 KiB for each of the targets; when more of those are gone than are left, they are put together anew at once.
    @discardableResult
    public mutating func remove(_ target: String, from name: String = "added") -> Bool {
        guard let rest = database(named: name)?.removing(target) else { return false }
        activate(rest, as: name)
        return true
    }

    /// The targets in a picture, the surest first. One may be seen in several places.
    ///
    /// None are in pictures with a side below 32 or above 16,384 pixels.
    /// - Parameters:
    ///   - camera: the camera that took the picture, for poses.
    ///   - known: places at which it is known what they show, as where targets are followed: no other print of about that size
    ///     is looked for there, which saves the time. What is printed on them as a small part still is found.
    public mutating func recognize(
        in picture: ImageBuffer, camera: Camera? = nil, except known: [PixelQuad] = []
    ) -> [TargetSighting] {
        configuration.check()
        guard min(picture.size.width, picture.size.height) >= ScaleSpace.leastSide,
            max(picture.size.width, picture.size.height) <= ScaleSpace.mostSide, !active.isEmpty
        else { return [] }
        if !isKnownUniquelyReferenced(&workspace) { workspace = RecognitionWorkspace() }
        fillWorkspace(with: picture, longestSide: configuration.longestSide)
        var found = Self.undisputed(
            findings(
                in: picture, except: known, featureLimit: configuration.featureLimit, targetLimit: Self.targetLimit))
        if found.count + known.count >= Self.crowdSize {
            // Where many prints share the picture and its features, each is small and has few.
            fillWorkspace(with: picture, longestSide: 2 * configuration.longestSide)
            let limit = min(2 * configuration.featureLimit, Configuration.mostFeatures)
            found = Self.undisputed(
                findings(
                    in: picture, except: known, featureLimit: limit, targetLimit: configuration.candidateLimit))
        }
        return found.map { finding, place in
            finding.sighting(
                of: TargetIdentity(database: place.database, name: place.storage.entries[finding.target].name),
                in: place.storage, camera: camera)
        }
    }

    private func fillWorkspace(with picture: ImageBuffer, longestSide: Int) {
        workspace.space.fill(
            with: picture, longestSide: longestSide, strongerThan: Float(configuration.leastStrength))
    }

    /// From how many targets on a picture is looked at with twice the features, and halved once less.
    ///
    /// Law: `TargetRecognizerTests.whereManyAreSeenSmallOnesAreNamed`.
    private static let crowdSize = 8

    /// How many targets are compared with all features of a picture, where it is not full of targets.
    private static let targetLimit = 20

    /// What the active databases have in common with the picture that lies in the workspace.
    private func findings(
        in picture: ImageBuffer, except known: [PixelQuad], featureLimit: Int, targetLimit: Int
    ) -> [(TargetFinding, SearchedPlace)] {
        let features = workspace.space.features(directionLimit: 2, limit: featureLimit)
        var searches = active.flatMap { active in
            active.database.segments.map { segment in
                TargetSearch(
                    configuration: configuration, space: workspace.space, features: features, picture: picture,
                    database: active.name, segment: segment, targetLimit: targetLimit, known: known)
            }
        }
        var found = searches.indices.flatMap { searches[$0].findings() }
        for (finding, place) in Self.undisputed(found) {
            let look = place.storage.look(at: finding.target)
            for index in searches.indices { found += searches[index].twins(of: finding, look: look) }
        }
        return found
    }

    /// How much more must speak for one of two targets that lie in one place: less is chance, noise and steps of parts.
    static let leastLead = 0.03

    /// Of prints that lie in one place, the one that fits best, drawing and colours; the surest first. Where a print is
    /// surely flat, none waves. Where two names fit nearly as well, or the better one only in a softer light, neither is said: half of
    /// what is said there would be wrong.
    ///
    /// Law: `TargetRecognizerTests.flatPrintsDoNotWave`.
    static func undisputed(_ found: [(TargetFinding, SearchedPlace)]) -> [(TargetFinding, SearchedPlace)] {
        func ranked(_ value: (TargetFinding) -> Double, _ found: [(TargetFinding, SearchedPlace)])
            -> [(TargetFinding, SearchedPlace)]
        {
            found.enumerated().sorted { a, b in
                let (first, second) = (value(a.element.0), value(b.element.0))
                return first != second ? first > second : a.offset < b.offset
            }.map(\.element)
        }
        func name(_ found: (TargetFinding, SearchedPlace)) -> String { found.1.storage.entries[found.0.target].name }
        let flat = found.filter(\.0.isSurelyFlat)
        let possible = found.filter { finding in
            !finding.0.isBent || !flat.contains { $0.0.disputes(finding.0) }
        }
        var kept: [(TargetFinding, SearchedPlace)] = []
        var ambiguous: Set<Int> = []
        for candidate in ranked(\.weight, possible) {
            let rivals = kept.indices.filter { kept[$0].0.disputes(candidate.0) }
            if rivals.isEmpty { kept.append(candidate) }
            for rival in rivals
            where name(kept[rival]) != name(candidate) && !kept[rival].0.isTold(from: candidate.0) {
                ambiguous.insert(rival)
            }
        }
        return ranked(\.confidence, kept.indices.filter { !ambiguous.contains($0) }.map { kept[$0] })
    }
}

private struct ActiveDatabase: Sendable {
    var name: String
    var database: TargetDatabase
}

/// Where a target was found.
struct SearchedPlace {
    let database: String
    let storage: TargetStorage
}

/// Memory that recognising needs anew for each picture. It holds nothing between two pictures.
private final class RecognitionWorkspace: @unchecked Sendable {
    let space = ScaleSpace()
}
