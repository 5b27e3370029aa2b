// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing

/// The face of somebody who does not exist, seen from the front, upright and evenly lit.
///
/// Everything follows from the number: skin, hair, brows, eyes, nose, mouth, beard and glasses. Where the parts lie is the
/// same for all: see the constants, in the picture's width from its top-left corner.
public struct Face: Hashable, Sendable {
    /// What is around the face.
    public enum Surroundings: String, Hashable, Sendable, CaseIterable {
        /// Neck, shoulders and a plain background: a photograph.
        case portrait
        /// Skin and hair up to the picture's rim: what a head-shaped surface wears, seen from the front.
        case head
    }

    /// The number.
    public let number: Int

    /// The face of a number that is not negative.
    public init(number: Int) {
        precondition(number >= 0, "faces are counted from 0, not \(number)")
        self.number = number
    }

    /// The face, that many pixels wide and high.
    public func image(width: Int, surroundings: Surroundings = .portrait) -> ImageBuffer {
        var canvas = VectorCanvas(
            size: ImageSize(width: width, height: width), width: 1, ground: Vector3(0.62, 0.67, 0.72))
        FacePainter(traits: FaceTraits(number: number), surroundings: surroundings).paint(on: &canvas)
        return canvas.image
    }

    /// The middle of the mouth.
    public static let mouth = NormalizedImagePoint(0.5, 0.725)
    /// The chin's lowest point.
    public static let chin = NormalizedImagePoint(0.5, 0.885)
    /// The middle of the brows' upper edge.
    public static let brows = NormalizedImagePoint(0.5, 0.395)
    /// The outermost points of the cheeks: the viewer's left one and the viewer's right one.
    public static let cheeks = [NormalizedImagePoint(0.225, 0.52), NormalizedImagePoint(0.775, 0.52)]
    /// The top of the head, without hair.
    public static let crown = NormalizedImagePoint(0.5, 0.115)
}

/// What tells one face from another.
struct FaceTraits: Hashable, Sendable {
    enum Hair: Hashable, Sendable, CaseIterable { case short, parted, long, curly, receding }
    enum Beard: Hashable, Sendable, CaseIterable { case none, stubble, moustache, full }

    let skin: Vector3
    let hairColor: Vector3
    let iris: Vector3
    let lips: Vector3
    let shirt: Vector3
    let hair: Hair
    let beard: Beard
    let hasGlasses: Bool
    /// Sizes, 1 on average.
    let jaw: Double
    let eyes: Double
    let brows: Double
    let nose: Double
    let mouth: Double
    let seed: UInt64

    init(number: Int) {
        var random = SeededRandom(seed: UInt64(number), purpose: "face")
        func pick<Item>(_ items: [Item]) -> Item { items[Int(random.uniform(0..<Double(items.count)))] }
        skin = pick([
            Vector3(0.95, 0.80, 0.71), Vector3(0.91, 0.74, 0.62), Vector3(0.86, 0.67, 0.53), Vector3(0.76, 0.57, 0.43),
            Vector3(0.64, 0.46, 0.34), Vector3(0.52, 0.36, 0.27),
        ])
        hairColor = pick([
            Vector3(0.10, 0.08, 0.07), Vector3(0.20, 0.13, 0.09), Vector3(0.33, 0.21, 0.13), Vector3(0.47, 0.33, 0.19),
            Vector3(0.38, 0.16, 0.09), Vector3(0.45, 0.44, 0.43),
        ])
        iris = pick([
            Vector3(0.28, 0.18, 0.10), Vector3(0.35, 0.25, 0.13), Vector3(0.26, 0.36, 0.45), Vector3(0.28, 0.36, 0.26),
        ])
        let rosiness = random.uniform(0.72..<0.9)
        lips = skin * Vector3(0.88, 0.62, 0.64) * (0.6 + 0.5 * rosiness)
        shirt = pick([
            Vector3(0.20, 0.28, 0.42), Vector3(0.45, 0.14, 0.16), Vector3(0.22, 0.36, 0.28), Vector3(0.32, 0.32, 0.34),
            Vector3(0.75, 0.74, 0.70),
        ])
        hair = pick(Hair.allCases)
        let grows = hair != .long && random.uniform(0..<1) < 0.5
        beard = grows ? pick([Beard.stubble, .moustache, .full]) : .none
        hasGlasses = random.uniform(0..<1) < 0.2
        jaw = random.uniform(0.92..<1.08)
        eyes = random.uniform(0.9..<1.12)
        brows = random.uniform(0.75..<1.3)
        nose = random.uniform(0.88..<1.15)
        mouth = random.uniform(0.88..<1.12)
        seed = random.next()
    }
}
