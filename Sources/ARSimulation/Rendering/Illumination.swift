// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The light of a scene: from everywhere, and from a disc in the sky. Plain numbers, for the inner loops.
struct Illumination: Sendable {
    /// To the middle of the sun.
    let towardsSun: Vector3
    /// The tangent of half the angle that the sun covers.
    let sunRadius: Float
    /// Irradiance from the sun on a surface that faces it, in albedo's units: 1 shows a white surface white.
    private(set) var sun: Float
    /// Irradiance from everywhere else.
    private(set) var ambient: Float
    /// How far away something may be and still throw a shadow, in metres.
    let shadowReach: Float
    /// The light where nothing is, linear RGB.
    private(set) var background: SIMD4<Float>

    init(_ light: Scene.Light) {
        let direction = light.direction.normalized() ?? Vector3(0, 1, 0)
        towardsSun = direction
        sunRadius = Float(tan(light.angularRadius))
        sun = Float(light.sun)
        ambient = Float(light.ambient)
        shadowReach = Float(light.shadowReachMeters)
        background = SIMD4<Float>(ColorTransfer.linear(fromSRGB: light.background), 0)
    }

    /// The same light, brighter or darker.
    func scaled(by irradiance: Irradiance) -> Illumination {
        var scaled = self
        scaled.sun *= Float(irradiance.sun)
        scaled.ambient *= Float(irradiance.ambient)
        scaled.background *= Float(irradiance.ambient)
        return scaled
    }
}

/// Directions to the sun: rays along them find out how much of it is seen.
final class SunDisc: Sendable {
    /// To points spread evenly over the sun.
    let samples: [Vector3]
    /// The numbers of the ``samples`` at the sun's middle and nearest to its rim, all around it, and of the others.
    static let scoutNumbers = [0, 11, 12, 13, 14, 15]
    static let otherNumbers = Array(1..<11)

    private let middle: Vector3
    /// To four places on the rim, one a quarter.
    private let rim: (Vector3, Vector3, Vector3, Vector3)

    /// Which two opposite places on the rim are probed: neighbours in a row or a column probe different ones. Where all of
    /// a few neighbours' probes agree, so does the rest of the sun.
    enum RimPair {
        case first, second

        @inline(__always) init(column: Int, row: Int) { self = (column + row).isMultiple(of: 2) ? .first : .second }
    }

    /// The number of ``probes(_:)``.
    static let probeCount = 3

    /// To the sun's middle and to two places on its rim.
    @inline(__always) func probes(_ pair: RimPair) -> (Vector3, Vector3, Vector3) {
        pair == .first ? (middle, rim.0, rim.2) : (middle, rim.1, rim.3)
    }

    /// The number of ``samples``.
    static let sampleCount = 16

    /// The sun of a light.
    init(_ illumination: Illumination) {
        let direction = illumination.towardsSun
        let across = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
        let along = direction.cross(across)
        func point(radius: Double, angle: Double) -> Vector3 {
            let offset = Double(illumination.sunRadius) * radius * (cos(angle) * across + sin(angle) * along)
            return (direction + offset).normalized() ?? direction
        }
        // Vogel's spiral covers a disc evenly with any number of points.
        samples = (0..<Self.sampleCount).map { index in
            point(
                radius: ((Double(index) + 0.5) / Double(Self.sampleCount)).squareRoot(),
                angle: Double(index) * .pi * (3 - 5.0.squareRoot()))
        }
        func quarter(_ number: Double) -> Vector3 { point(radius: 1, angle: (number + 0.5) * .pi / 2) }
        middle = direction
        rim = (quarter(0), quarter(1), quarter(2), quarter(3))
    }
}

extension SIMD4 where Scalar == Float {
    /// Three doubles and a fourth number.
    init(_ v: Vector3, _ w: Float) { self.init(Float(v.x), Float(v.y), Float(v.z), w) }
}
