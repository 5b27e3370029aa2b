// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The emblem of a club that does not exist: a shield or a roundel with two to four colours, a charge, a few letters.
///
/// Everything follows from the number. As with the logos of real clubs there is little texture: plain areas with
/// straight and round edges, much of it symmetric. Law: `EmblemTests.emblemsDiffer`.
public struct Emblem: Hashable, Sendable {
    /// The number.
    public let number: Int
    /// Whether all that is dark is printed in one ink, and all that is light stays paper.
    public var isOneInk: Bool

    /// The emblem of a number that is not negative.
    public init(number: Int, isOneInk: Bool = false) {
        precondition(number >= 0, "emblems are counted from 0, not \(number)")
        self.number = number
        self.isOneInk = isOneInk
    }

    /// The emblem on white paper, that many pixels wide and high.
    public func image(width: Int) -> ImageBuffer { image(width: width, paper: Vector3(1, 1, 1)) }

    /// The emblem on paper of a colour, sRGB 0…1.
    public func image(width: Int, paper: Vector3) -> ImageBuffer {
        var canvas = VectorCanvas(size: ImageSize(width: width, height: width), width: 1, ground: paper)
        let design = EmblemDesign(number: number)
        let inks = isOneInk ? EmblemInks(dark: EmblemColor.black.value, light: paper) : nil
        EmblemPainter(design: design, inks: inks).paint(on: &canvas)
        return canvas.image
    }

    /// The club's initials, those in the emblem.
    public var initials: String { EmblemDesign(number: number).initials }
    /// The club's name, where the emblem bears one it is this: `ARDEN FC`.
    public var clubName: String { EmblemDesign(number: number).name }
    /// The year in which the club was founded, where the emblem bears one it is this.
    public var foundingYear: Int { EmblemDesign(number: number).year }
}

/// The colours of emblems.
enum EmblemColor: String, Hashable, Sendable, CaseIterable {
    case white, gold, sky, red, maroon, green, bottle, blue, navy, purple, black

    /// sRGB, 0…1.
    var value: Vector3 {
        switch self {
        case .white: Vector3(0.97, 0.97, 0.96)
        case .gold: Vector3(0.97, 0.78, 0.10)
        case .sky: Vector3(0.52, 0.78, 0.93)
        case .red: Vector3(0.79, 0.07, 0.14)
        case .maroon: Vector3(0.46, 0.06, 0.17)
        case .green: Vector3(0.02, 0.46, 0.25)
        case .bottle: Vector3(0.03, 0.27, 0.19)
        case .blue: Vector3(0.06, 0.30, 0.67)
        case .navy: Vector3(0.06, 0.12, 0.31)
        case .purple: Vector3(0.35, 0.15, 0.47)
        case .black: Vector3(0.08, 0.08, 0.09)
        }
    }

    /// Whether dark figures stand out from it; a light figure needs a dark ground.
    var isLight: Bool { Self.lights.contains(self) }

    static let lights: [EmblemColor] = [.white, .gold, .sky]
    static let darks: [EmblemColor] = [.red, .maroon, .green, .bottle, .blue, .navy, .purple, .black]
}

/// One dark ink and the paper.
struct EmblemInks {
    let dark: Vector3
    let light: Vector3
}
