// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSimulation
import ARTargets
import Foundation

/// A football club that does not exist, with what a program tells of one whose emblem it meets.
///
/// Everything follows from the number of its emblem.
public struct InventedClub: Hashable, Sendable {
    /// Its emblem.
    public let emblem: Emblem
    /// The emblem's colours.
    public let colors: DominantColors

    /// The club with that emblem.
    public init(number: Int) {
        emblem = Emblem(number: number)
        colors = DominantColors(of: emblem.image(width: 256))
    }

    /// By this name a database knows the emblem, as scenes do.
    public var targetName: String { "emblem-\(emblem.number)" }

    /// The club's page, at a domain that nobody can own (RFC 2606).
    public var webPage: String {
        "https://" + emblem.clubName.lowercased().replacingOccurrences(of: " ", with: "-") + ".example"
    }

    /// The club's facts, and how an app is painted for it: the nearest of the palette, and the colour of text on that.
    public func record(palette: ColorPalette = .clubs) -> [String: JSONValue] {
        let theme = palette.nearest(to: colors.main)
        return [
            "name": .string(emblem.clubName), "initials": .string(emblem.initials),
            "founded": .integer(Int64(emblem.foundingYear)), "web_page": .string(webPage),
            "colors": .list(colors.colors.map { .string($0.color.hexadecimal) }),
            "theme": .string(theme.hexadecimal), "text": .string(theme.textColor.hexadecimal),
        ]
    }

    /// What a database is built of.
    /// - Parameters:
    ///   - pixels: how many pixels the picture has along each side.
    ///   - physicalWidth: how wide the emblem is printed, in metres; `nil` where that differs from print to print.
    public func reference(pixels: Int = 512, physicalWidth: Double? = nil) -> ReferenceImage {
        ReferenceImage(
            name: targetName, picture: emblem.image(width: pixels), physicalWidth: physicalWidth, record: record())
    }
}
