// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth
import Foundation

/// How well the places of rectangles in the world are known, in the frames that show them.
public struct PlacedRectangleErrors: Hashable, Sendable {
    /// The rectangle's name in the truth; `all` for all of them together.
    public var name: String
    /// In how many frames it was fully visible.
    public var expectedCount = 0
    /// In how many of these something was known in its place.
    public var foundCount = 0
    /// How often another side was taken for its top. The other figures do not count that.
    public var quadrantErrorCount = 0
    /// How often what was in its place bore the name of a code that is not on it; of all together, also how often what was in no
    /// rectangle's place bore a name that another one had already.
    public var misnamedCount = 0
    /// What widths and heights are off, in metres.
    public var sizeMetres: ErrorQuantiles?
    /// What widths and heights are off, as parts of them.
    public var sizeParts: ErrorQuantiles?
    /// Metres from the true corners.
    public var cornerMetres: WorldAndCamera<ErrorQuantiles>?
    /// Metres from the true centre.
    public var centerMetres: WorldAndCamera<ErrorQuantiles>?
    /// How far it is turned in its plane, in radians: at most an eighth of a turn, because any side may be the top.
    public var heading: WorldAndCamera<ErrorQuantiles>?
    /// The angle between the normals, in radians.
    public var tilt: WorldAndCamera<ErrorQuantiles>?

    /// The part of the frames in which its place was known; `nil` where it was never fully visible.
    public var recall: Double? { expectedCount > 0 ? Double(foundCount) / Double(expectedCount) : nil }
}

/// What is wrong with one rectangle in one frame.
private struct PlacedRectangleError: Sendable {
    let quadrant: Int
    let isMisnamed: Bool
    let size: Vector2
    let sizeParts: Vector2
    let places: WorldAndCamera<Place>

    struct Place: Sendable {
        let corners: [Double]
        let center: Double
        let heading: Double
        let tilt: Double
    }

    init(
        _ answer: PlacedRectangleAnswer, isMisnamed: Bool, truth: [Point3],
        _ truthFromSession: WorldAndCamera<Similarity>
    ) {
        self.isMisnamed = isMisnamed
        let seen = answer.corners.map { truthFromSession.camera * $0 }
        let quadrant = CornerMatch(seen, on: truth) { ($0 - $1).length }.turn
        self.quadrant = quadrant
        let trueFrame = RectangleFrame(truth)
        let size = quadrant % 2 == 0 ? answer.size : Vector2(answer.size.y, answer.size.x)
        self.size = size - trueFrame.size
        sizeParts = self.size / trueFrame.size
        places = truthFromSession.map { transform in
            let corners = (0..<4).map { transform * answer.corners[($0 + quadrant) % 4] }
            let frame = RectangleFrame(corners)
            return Place(
                corners: zip(corners, truth).map { ($0 - $1).length },
                center: (frame.center - trueFrame.center).length, heading: frame.heading(in: trueFrame),
                tilt: frame.normal.angle(to: trueFrame.normal))
        }
    }
}

/// Centre, axes and size of four corners: top left, top right, bottom right, bottom left.
private struct RectangleFrame {
    let center: Point3
    let right: Vector3
    let normal: Vector3
    let size: Vector2

    init(_ corners: [Point3]) {
        let across = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
        let down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
        center = (corners[0] + corners[1] + corners[2] + corners[3]) / 4
        right = across.normalized() ?? .zero
        // As one faces it, right by down points away.
        normal = down.cross(across).normalized() ?? .zero
        size = Vector2(
            ((corners[1] - corners[0]).length + (corners[2] - corners[3]).length) / 2,
            ((corners[3] - corners[0]).length + (corners[2] - corners[1]).length) / 2)
    }

    /// The angle from another rectangle's top to this one's about the other one's normal, counter-clockwise.
    func heading(in other: RectangleFrame) -> Double {
        atan2(other.normal.cross(other.right).dot(right), other.right.dot(right))
    }
}

/// What the codes say that rectangles bear: what names them.
private struct PrintedNames {
    private let namesByRectangle: [String: Set<String>]

    init(_ codes: [CodeTruth]) {
        namesByRectangle = Dictionary(grouping: codes, by: \.name).mapValues { Set($0.map(\.payload)) }
    }

    /// Whether a rectangle bears that name.
    func names(_ rectangle: String, _ name: String?) -> Bool {
        name.map { namesByRectangle[rectangle]?.contains($0) == true } ?? false
    }

    /// Whether a rectangle does not bear that name, as far as the truth can tell: it bears another, or another bears it.
    func misnames(_ rectangle: String, _ name: String?) -> Bool {
        guard let name, !names(rectangle, name) else { return false }
        return namesByRectangle[rectangle] != nil || knows(name)
    }

    /// Whether some rectangle bears that name.
    func knows(_ name: String?) -> Bool {
        name.map { name in namesByRectangle.values.contains { $0.contains(name) } } ?? false
    }
}

/// Compares the rectangles of a session's world with the true ones, frame by frame.
struct PlacedRectangleEvaluator: Sendable {
    private let options: WorldEvaluationOptions
    private var hasLooked = false
    private var counts: [String: (expected: Int, found: Int)] = [:]
    private var errors: [String: [PlacedRectangleError]] = [:]
    private var strayNameCount = 0

    /// How far corners may be, on the average, from those of the true rectangle in whose place they are, in parts of its diagonal.
    private static let farthest = 0.25

    init(_ options: WorldEvaluationOptions) { self.options = options }

    /// Compares each answer with the rectangle in whose place it is, of several that could be meant with the one that bears its name;
    /// and what is in no rectangle's place with the one that bears its name, however far that is.
    mutating func compare(
        _ answers: [PlacedRectangleAnswer], with truths: [RectangleTruth], codes: [CodeTruth],
        _ truthFromSession: WorldAndCamera<Similarity>
    ) {
        hasLooked = true
        let seen = truths.filter { $0.corners.visibleFraction > 0 && RectangleFrame($0.corners.inWorld).size.min() > 0 }
        let printed = PrintedNames(codes)
        let distances = answers.map { answer in
            let corners = answer.corners.map { truthFromSession.camera * $0 }
            return seen.map { Self.distance(from: corners, to: $0.corners.inWorld) }
        }
        let gains = zip(answers, distances).map { answer, distances in
            zip(seen, distances).map { Self.gain(at: $1, isNamed: printed.names($0.name, answer.name)) }
        }
        var isFound = [Bool](repeating: false, count: seen.count)
        for (number, index) in Assignment(gains: gains).columns.enumerated() {
            let answer = answers[number]
            guard let index else {
                if printed.knows(answer.name) { strayNameCount += 1 }
                continue
            }
            let truth = seen[index]
            if distances[number][index] <= Self.farthest { isFound[index] = true }
            errors[truth.name, default: []].append(
                PlacedRectangleError(
                    answer, isMisnamed: printed.misnames(truth.name, answer.name), truth: truth.corners.inWorld,
                    truthFromSession))
        }
        for (index, truth) in seen.enumerated() where options.isFullyVisible(truth.corners.visibleFraction) {
            counts[truth.name, default: (0, 0)].expected += 1
            counts[truth.name, default: (0, 0)].found += isFound[index] ? 1 : 0
        }
    }

    /// How much speaks for an answer at that distance: that it is in the rectangle's place, and then that it bears its name; for what is not,
    /// its name alone, which weighs less than any place.
    private static func gain(at distance: Double, isNamed: Bool) -> Double {
        let nearness = 1 / (1 + distance)
        guard distance > farthest else { return nearness + (isNamed ? 1 : 0) }
        return isNamed ? 1e-3 * nearness : 0
    }

    /// How far corners are from a rectangle's on the average, whichever is the first, in parts of its diagonal.
    private static func distance(from corners: [Point3], to places: [Point3]) -> Double {
        let diagonal = (places[2] - places[0]).length
        return CornerMatch(corners, on: places) { ($0 - $1).length }.meanDistance / max(diagonal, 1e-9)
    }

    /// The errors by the rectangles' names, in alphabetical order.
    var byName: [PlacedRectangleErrors] {
        Set(counts.keys).union(errors.keys).sorted().map { name in
            PlacedRectangleErrors(name, counts[name] ?? (0, 0), errors[name] ?? [])
        }
    }

    /// The errors of all rectangles together; `nil` where nobody looked.
    var all: PlacedRectangleErrors? {
        guard hasLooked else { return nil }
        var all = PlacedRectangleErrors(
            "all", counts.values.reduce((0, 0)) { ($0.0 + $1.expected, $0.1 + $1.found) },
            errors.sorted { $0.key < $1.key }.flatMap(\.value))
        all.misnamedCount += strayNameCount
        return all
    }
}

extension PlacedRectangleErrors {
    fileprivate init(_ name: String, _ counts: (expected: Int, found: Int), _ errors: [PlacedRectangleError]) {
        self.name = name
        expectedCount = counts.expected
        foundCount = counts.found
        quadrantErrorCount = errors.count { $0.quadrant != 0 }
        misnamedCount = errors.count(where: \.isMisnamed)
        sizeMetres = ErrorQuantiles(errors.flatMap { [$0.size.x, $0.size.y] })
        sizeParts = ErrorQuantiles(errors.flatMap { [$0.sizeParts.x, $0.sizeParts.y] })
        let places = errors.map(\.places)
        cornerMetres = WorldAndCamera(
            places.flatMap { place in
                zip(place.world.corners, place.camera.corners).map { WorldAndCamera(world: $0, camera: $1) }
            })
        centerMetres = WorldAndCamera(places.map { $0.map(\.center) })
        heading = WorldAndCamera(places.map { $0.map(\.heading) })
        tilt = WorldAndCamera(places.map { $0.map(\.tilt) })
    }
}
