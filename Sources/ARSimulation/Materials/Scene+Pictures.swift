// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

extension Scene {
    /// The picture of a material that is one: read from its file, or generated.
    ///
    /// It covers the surface that wears it: its first row lies at −z, its first column at −x.
    public func picture(of material: Material) throws(SceneError) -> ImageBuffer {
        let width = material.pictureWidth
        switch material.kind {
        case .picture: return try pictureInFile(of: material)
        case .emblem:
            return Emblem(number: material.number, isOneInk: material.isOneInk)
                .image(width: width, paper: material.paper)
        case .code: return try code(of: material).image(width: width, paper: material.paper)
        case .card: return try card(of: material).image(width: width)
        case .face:
            return Face(number: material.number).image(width: width, surroundings: material.surroundings)
        default: preconditionFailure("a material of the kind '\(material.kind)' is no picture")
        }
    }

    /// The code that a material shows and the corners of its pattern in the material's picture, in the order top left,
    /// top right, bottom right, bottom left; `nil` where it shows none.
    public func printedCode(of material: Material) throws(SceneError) -> PrintedCode? {
        switch material.kind {
        case .code:
            let code = try code(of: material)
            return PrintedCode(payload: code.payload, modulesAcross: code.side, corners: code.corners)
        case .card:
            let card = try card(of: material)
            return PrintedCode(
                payload: card.code.payload, modulesAcross: card.code.side, corners: card.codeCorners)
        default: return nil
        }
    }

    private func pictureInFile(of material: Material) throws(SceneError) -> ImageBuffer {
        let file = file(material.picture)
        do { return try ImageFile.read(file) } catch {
            throw .unreadablePicture(
                path: file.path, problem: error.problem, material: material.name,
                at: ScenePosition(file: "(scene \(name))", line: 1, column: 1))
        }
    }

    private func card(of material: Material) throws(SceneError) -> PlayingCard {
        PlayingCard(rank: material.rank, suit: material.suit, code: try code(of: material))
    }

    private func code(of material: Material) throws(SceneError) -> QRCode {
        try material.code(at: ScenePosition(file: "(scene \(name))", line: 1, column: 1))
    }
}

/// A code on a surface.
public struct PrintedCode: Hashable, Sendable {
    /// What it says.
    public var payload: String
    /// How many modules it has along a side.
    public var modulesAcross: Int
    /// The corners of its pattern, without the quiet zone, in the surface's picture.
    public var corners: [NormalizedImagePoint]
}

extension Scene.Material {
    /// The code; an error says that its payload stands at that place.
    func code(at position: @autoclosure () -> ScenePosition) throws(SceneError) -> QRCode {
        do throws(QRCode.Failure) {
            return try QRCode(payload: payload, errorCorrection: errorCorrection)
        } catch {
            throw .outOfRange(
                key: "payload", found: "\(error)", expected: "a text that a QR code can hold", at: position())
        }
    }
}
