// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

@testable import ARSimulation

/// A model, a camera, and a short film of it: what is measured.
struct RenderedView {
    var name: String
    var model: RenderModel
    var camera: Camera
    var size: ImageSize
    /// One shot a frame.
    var shots: [Shot]
}

extension RenderedView {
    static let frameCount = 24

    /// A scene's first frames, in its own size and, through a lens that sees as much, in another.
    init(scene name: String, size: ImageSize? = nil) throws {
        let file = URL(fileURLWithPath: "Scenes/\(name).yaml")
        var scene = try Scene(contentsOf: file)
        if let size {
            let factor = Double(size.width) / Double(scene.camera.size.width)
            scene.camera.focalPixels *= factor
            scene.camera.principalPointPixels = Vector2(Double(size.width - 1), Double(size.height - 1)) / 2
            scene.camera.size = size
        }
        let session = try SceneSession(scene: scene)
        let middle = session.frameCount / 2
        self.init(
            name: name, model: session.stage.model, camera: scene.camera.model, size: scene.camera.size,
            shots: (0..<Self.frameCount).map { session.shot(at: session.timestamp(ofFrame: middle + $0)) })
    }

    /// How a scene of 20 surfaces, a floor and sheets above it, becomes one of 2,000.
    enum Growth: String {
        /// There are more sheets, each as much smaller, so that they cover as much of the picture.
        case surfaces
        /// Each surface is cut into equal squares: the picture stays as it is.
        case pieces
        /// There are more such places, behind the camera and beside: the picture stays nearly as it is.
        case places
        /// There are more boxes in a room, each as much smaller, so that they cover as much of the picture.
        case boxes
    }

    /// A floor and sheets above it.
    /// - Parameter count: the number of surfaces; for pieces and places, 20 times a square; for boxes, two and six for
    ///   each of them.
    init(_ count: Int, _ growth: Growth, size: ImageSize) {
        let sheets = growth == .surfaces ? Sheets(count: count) : Sheets(count: 20)
        let squareSide = Int((Double(count) / 20).squareRoot().rounded())
        let surfaces: [TexturedRectangle] =
            switch growth {
            case .surfaces: sheets.surfaces()
            case .boxes: Boxes(surfaceCount: count).surfaces()
            case .pieces: sheets.surfaces(cutInto: squareSide)
            case .places:
                (0..<count / 20).flatMap { place in
                    // A square of places before which the camera stands.
                    let (column, row) = (place % squareSide - squareSide / 2, place / squareSide)
                    return sheets.surfaces(at: Vector3(12 * Double(column), 0, 12 * Double(row)))
                }
            }
        let focal = 0.8 * Double(size.width)
        self.init(
            name: "\(count) \(growth.rawValue)",
            model: RenderModel(surfaces: surfaces.map { .rectangle($0) }, illumination: Illumination(Scene.Light())),
            camera: .pinhole(
                PinholeCamera(
                    PinholeIntrinsics(
                        fx: focal, fy: focal, cx: Double(size.width - 1) / 2, cy: Double(size.height - 1) / 2))),
            size: size,
            shots: (0..<Self.frameCount).map { frame in
                var waypoint = Scene.Waypoint()
                waypoint.position = Point3(0.01 * Double(frame), 2.2, 2.2)
                waypoint.lookAt = Point3(0, 0.4, 0)
                let pose = waypoint.worldFromCamera ?? .identity
                return Shot(worldFromCameraByRow: [RigidTransform](repeating: pose, count: size.height))
            })
    }
}

/// A floor of 8 m × 8 m and sheets that float above it, 2.4 m × 2.4 m in all.
private struct Sheets {
    /// The floor's place and side, and the sheets'.
    private var squares = [(worldFromSquare: RigidTransform.identity, side: 8.0)]

    init(squares: [(worldFromSquare: RigidTransform, side: Double)]) { self.squares = squares }

    init(count: Int) {
        var random = SeededRandom(seed: 5, purpose: "sheets")
        func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        for _ in 1..<count {
            let turn = Rotation(rotationVector: Vector3(uniform(-1...1), uniform(-3...3), uniform(-1...1)))
            let place = Point3(uniform(-1.6...1.6), uniform(0.2...1), uniform(-1.6...1.6))
            squares.append((RigidTransform(rotation: turn, translation: place), 2.4 / Double(count).squareRoot()))
        }
    }

    /// The squares, each cut into as many rows of as many pieces, each with its part of one picture of 500×500 texels.
    func surfaces(cutInto pieces: Int = 1, at offset: Vector3 = .zero) -> [TexturedRectangle] {
        let textures = (0..<pieces * pieces).map { number -> MipTexture in
            let corner = Vector2(Double(number % pieces), Double(number / pieces)) / Double(pieces)
            return MipTexture(
                covering: Vector2(repeating: 1 / Double(pieces)), texelMeters: 0.002, threads: 2
            ) { place, _ in
                let place = place + corner
                return Vector3(repeating: 0.5)
                    + 0.4 * Vector3(sin(60 * place.x), sin(80 * place.y), sin(50 * (place.x + place.y)))
            }
        }
        return squares.flatMap { square in
            textures.enumerated().map { number, texture in
                let side = square.side / Double(pieces)
                let middle = Vector2(Double(number % pieces), Double(number / pieces)) + (1 - Double(pieces)) / 2
                let place = square.worldFromSquare * (Point3(middle.x, 0, middle.y) * side)
                return TexturedRectangle(
                    worldFromSurface: RigidTransform(
                        rotation: square.worldFromSquare.rotation, translation: place + offset),
                    size: Vector2(side, side), texture: texture)
            }
        }
    }
}

/// Boxes of any attitude that float in a room of which a floor and a wall are seen.
private struct Boxes {
    private var squares = [
        (worldFromSquare: RigidTransform.identity, side: 8.0),
        (
            worldFromSquare: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), translation: Point3(0, 0, -3)), side: 8.0
        ),
    ]

    init(surfaceCount: Int) {
        var random = SeededRandom(seed: 6, purpose: "boxes")
        func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        precondition(
            surfaceCount > squares.count && (surfaceCount - squares.count).isMultiple(of: 6),
            "boxes are 2 surfaces and 6 for each box, not \(surfaceCount)")
        let count = (surfaceCount - squares.count) / 6
        let side = 1.2 / Double(count).squareRoot()
        for _ in 0..<count {
            let worldFromBox = RigidTransform(
                rotation: Rotation(rotationVector: Vector3(uniform(-3...3), uniform(-3...3), uniform(-3...3))),
                translation: Point3(uniform(-1.6...1.6), uniform(0.2...1.8), uniform(-2.4...0.8)))
            let turns = [Vector3.zero, Vector3(2, 0, 0)] + [-1, 1].flatMap { [Vector3($0, 0, 0), Vector3(0, 0, $0)] }
            for turn in turns {
                let rotation = Rotation(rotationVector: turn * (.pi / 2))
                let boxFromFace = RigidTransform(
                    rotation: rotation, translation: rotation.matrix * Vector3(0, side / 2, 0))
                squares.append((worldFromBox * boxFromFace, side))
            }
        }
    }

    func surfaces() -> [TexturedRectangle] { Sheets(squares: squares).surfaces() }
}
