// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// Pieces of one picture side by side, and where there is an edge between them.
@Suite struct ContinuationTests {
    /// How a piece of a picture differs from what would continue its neighbour.
    enum Flaw: CaseIterable {
        case gap, tilt, shift, gloss, step, hiddenStep, otherTexels
    }

    private static let pieceSide = 0.4

    /// A square of 3×3 pieces, each turned by quarters of a turn, with a flaw in the middle one.
    private static func pieces(_ random: inout TestRandom, flaw: Flaw? = nil) -> [TexturedRectangle] {
        let worldFromPicture = RigidTransform(
            rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-2...2))
        return (0..<9).map { number in
            let middle = Point3(Double(number % 3) - 1, 0, Double(number / 3) - 1) * pieceSide
            var pictureFromPiece = RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, Double(number) * .pi / 2, 0)), translation: middle)
            let flaw = number == 4 ? flaw : nil
            switch flaw {
            case .gap: pictureFromPiece.translation.x += 1e-4
            case .tilt:
                // Around a side, which stays common.
                let hinge = RigidTransform(translation: Point3(0, 0, -pieceSide / 2))
                let turn = RigidTransform(rotation: Rotation(rotationVector: Vector3(0.01, 0, 0)))
                pictureFromPiece = hinge * turn * hinge.inverse * pictureFromPiece
            case .shift: pictureFromPiece.translation.z += pieceSide / 2
            default: break
            }
            let texture = MipTexture(
                covering: Vector2(repeating: pieceSide), texelMeters: flaw == .otherTexels ? 0.02 : 0.01, threads: 1
            ) { [pictureFromPiece] corner, texel in
                let place = pictureFromPiece * Point3(corner.x - pieceSide / 2, 0, corner.y - pieceSide / 2)
                let light = 0.5 + 0.15 * sin(7 * place.x + 1) + 0.15 * sin(5 * place.z + 4 * place.x)
                switch flaw {
                case .step: return Vector3(repeating: light + 0.05)
                // Less than from each texel to the next, which are lighter and darker by turns.
                case .hiddenStep:
                    let number = Int(corner.x / texel.x) + Int(corner.y / texel.y)
                    return Vector3(repeating: light + 0.05 + (number.isMultiple(of: 2) ? 0.1 : -0.1))
                default: return Vector3(repeating: light)
                }
            }
            return TexturedRectangle(
                worldFromSurface: worldFromPicture * pictureFromPiece, size: Vector2(repeating: pieceSide),
                texture: texture, gloss: flaw == .gloss ? 0.3 : 0)
        }
    }

    private static func continuations(_ pieces: [TexturedRectangle]) -> Continuations {
        Continuations(of: pieces.map { .rectangle($0) })
    }

    /// Each piece goes on in those beside it, and in no other.
    @Test(arguments: 0..<4) func piecesGoOnInTheirNeighbours(number: Int) {
        var random = TestRandom(case: number)
        let continuations = Self.continuations(Self.pieces(&random))
        for piece in 0..<9 {
            for other in 0..<9 {
                let isBeside = abs(piece % 3 - other % 3) + abs(piece / 3 - other / 3) == 1
                #expect(continuations.contains(Int32(piece), Int32(other)) == isBeside)
            }
        }
    }

    /// A piece that is not as it should be goes on in none; the others do.
    @Test(arguments: Flaw.allCases) func flawedPiecesEnd(flaw: Flaw) {
        var random = TestRandom()
        let continuations = Self.continuations(Self.pieces(&random, flaw: flaw))
        for piece in 0..<9 {
            for other in 0..<9 {
                let isBeside = abs(piece % 3 - other % 3) + abs(piece / 3 - other / 3) == 1
                let isExpected = isBeside && piece != 4 && other != 4
                #expect(continuations.contains(Int32(piece), Int32(other)) == isExpected)
            }
        }
    }

    /// One colour goes on in the same colour, and not in another.
    @Test func coloursGoOn() {
        let squares = [0.3, 0.3, 0.31].enumerated().map { number, albedo in
            TexturedRectangle(
                worldFromSurface: RigidTransform(translation: Point3(Double(number), 0, 0)), size: Vector2(1, 1),
                texture: MipTexture(plain: Vector3(repeating: albedo)))
        }
        let continuations = Self.continuations(squares)
        #expect(continuations.contains(0, 1) && continuations.contains(1, 0))
        #expect(!continuations.contains(1, 2) && !continuations.contains(2, 1))
        // What lies upon another has all of its sides, and goes on in none.
        #expect(!Self.continuations([squares[0], squares[0]]).contains(0, 1))
    }

    /// Pixels between continuing pieces have the light of their centres, those at the rim of all a mean with what is behind;
    /// between others the light is smoothed.
    @Test(arguments: [nil, Flaw.step]) func nothingIsSmoothedBetweenPieces(flaw: Flaw?) {
        var random = TestRandom()
        let size = ImageSize(width: 120, height: 96)
        let pieces = Self.pieces(&random, flaw: flaw)
        var light = Scene.Light()
        (light.sun, light.ambient, light.background) = (0, 1, .zero)
        let renderer = Renderer(
            model: RenderModel(surfaces: pieces.map { .rectangle($0) }, illumination: Illumination(light)),
            camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 100, fy: 100, cx: 60, cy: 48))), size: size, threads: 1
        )
        let pictureFromCamera = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.3, 0)) * Rotation(rotationVector: Vector3(-1.4, 0, 0)),
            translation: Point3(0.1, 1.8, 0.2))
        // The corner piece's frame is the picture's, moved by a piece along x and z.
        let worldFromPicture =
            pieces[0].worldFromSurface * RigidTransform(translation: Point3(Self.pieceSide, 0, Self.pieceSide))
        var shot = Shot(
            worldFromCameraByRow: [RigidTransform](
                repeating: worldFromPicture * pictureFromCamera, count: size.height))
        func picture() -> [Float] {
            let image = RadianceImage(size: size)
            renderer.render(shot, into: image)
            return UnsafeBufferPointer(start: image.pixels, count: size.width * size.height).map(\.x)
        }
        let smooth = picture()
        shot.hasSmoothEdges = false
        let plain = picture()
        let objects = renderer.objects
        var (seams, smoothed, rims) = (0, 0, 0)
        var (besideMiddle, smoothedBesideMiddle) = (0, 0)
        for row in 1..<size.height - 1 {
            for column in 1..<size.width - 1 {
                let own = row * size.width + column
                let others = Set([own - 1, own + 1, own - size.width, own + size.width].map { objects[$0] })
                if others.union([objects[own]]).contains(-1) {
                    rims += smooth[own] == plain[own] ? 0 : 1
                } else if others != [objects[own]] {
                    let isSmoothed = smooth[own] != plain[own]
                    seams += 1
                    smoothed += isSmoothed ? 1 : 0
                    guard others.union([objects[own]]).contains(4) else { continue }
                    besideMiddle += 1
                    smoothedBesideMiddle += isSmoothed ? 1 : 0
                }
            }
        }
        #expect(seams > 100 && rims > 100)
        if flaw == nil {
            #expect(smoothed < seams / 20)
        } else {
            // Of two neighbours at a seam the farther one is as it was.
            #expect(smoothedBesideMiddle > besideMiddle / 4)
            #expect(smoothed - smoothedBesideMiddle < seams / 20)
        }
    }

    /// A pixel is at a rim where a neighbour sees another object than its own or one of four in which this goes on.
    @Test(arguments: [false, true]) func rimsAreWhereNothingGoesOn(hasContinuations: Bool) {
        var random = TestRandom()
        let none = Int32(CRAYCAST_NO_CONTINUATION)
        // 5 goes on in 7 and 7 in 5, 6 in 7 alone.
        var continuations = [(Int32, Int32, Int32, Int32)](repeating: (none, none, none, none), count: 8)
        if hasContinuations {
            continuations[5].2 = 7
            continuations[7].0 = 5
            continuations[6].3 = 7
        }
        func goesOn(_ object: Int32, _ other: Int32) -> Bool {
            object == other || hasContinuations && [[5, 7], [7, 5], [6, 7]].contains([object, other])
        }
        for width in 1...40 {
            // Mostly one object, by turns each.
            let most = Int32(5 + width % 3)
            let rows = (0..<3).map { _ in
                (0..<width).map { _ -> Int32 in
                    random.uniform(0...1) < 0.9 ? most : [-1, 5, 6, 7][Int(random.uniform(0...3.99))]
                }
            }
            var columns = [Int32](repeating: -1, count: width)
            let count = craycast_find_rims(
                rows[1], rows[0], rows[2], width, hasContinuations ? continuations : nil, &columns)
            let expected = (0..<width).filter { column in
                let neighbours = [
                    rows[0][column], rows[2][column], rows[1][max(column - 1, 0)], rows[1][min(column + 1, width - 1)],
                ]
                return neighbours.contains { !goesOn(rows[1][column], $0) }
            }
            #expect(columns[..<count].map(Int.init) == expected)
        }
    }
}
