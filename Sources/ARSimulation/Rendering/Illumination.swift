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

    /// Those of ``samples`` that have the ``scoutNumbers``.
    let scouts: [Vector3]
    /// The others of ``samples``.
    let others: [Vector3]
    /// To the sun's middle and to four points on its rim: where all five agree, so does the rest of the sun.
    let probes: [Vector3]

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
        scouts = Self.scoutNumbers.map { [samples] in samples[$0] }
        others = Self.otherNumbers.map { [samples] in samples[$0] }
        probes = [direction] + (0..<4).map { point(radius: 1, angle: (Double($0) + 0.5) * .pi / 2) }
    }
}

extension SIMD4 where Scalar == Float {
    /// Three doubles and a fourth number.
    init(_ v: Vector3, _ w: Float) { self.init(Float(v.x), Float(v.y), Float(v.z), w) }
}
