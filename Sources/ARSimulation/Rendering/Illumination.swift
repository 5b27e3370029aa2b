// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The light of a scene: from everywhere, and from a disc in the sky.
struct Illumination: Sendable {
    /// To the middle of the sun.
    let towardsSun: Vector3
    /// To points spread evenly over the sun.
    let sunSamples: [Vector3]
    /// Those of ``sunSamples`` at the sun's middle and nearest to its rim, all around it.
    let sunScouts: [Vector3]
    /// The others of ``sunSamples``.
    let sunOthers: [Vector3]
    /// To the sun's middle and to four points on its rim: where all five agree, so does the rest of the sun.
    let sunProbes: [Vector3]
    /// The tangent of half the angle that the sun covers.
    let sunRadius: Float
    /// Irradiance from the sun on a surface that faces it, in albedo's units: 1 shows a white surface white.
    private(set) var sun: Float
    /// Irradiance from everywhere else.
    private(set) var ambient: Float
    /// How far away something may be and still throw a shadow, in metres.
    let shadowReach: Float
    /// The light where nothing is, linear RGB.
    let background: SIMD4<Float>

    /// The number of ``sunSamples``.
    static let sampleCount = 16

    init(_ light: Scene.Light) {
        let direction = light.direction.normalized() ?? Vector3(0, 1, 0)
        let across = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
        let along = direction.cross(across)
        func point(radius: Double, angle: Double) -> Vector3 {
            let offset = tan(light.angularRadius) * radius * (cos(angle) * across + sin(angle) * along)
            return (direction + offset).normalized() ?? direction
        }
        towardsSun = direction
        // Vogel's spiral covers a disc evenly with any number of points.
        sunSamples = (0..<Self.sampleCount).map { index in
            point(
                radius: ((Double(index) + 0.5) / Double(Self.sampleCount)).squareRoot(),
                angle: Double(index) * .pi * (3 - 5.0.squareRoot()))
        }
        sunScouts = [sunSamples[0]] + sunSamples[11...]
        sunOthers = Array(sunSamples[1..<11])
        sunProbes = [direction] + (0..<4).map { point(radius: 1, angle: (Double($0) + 0.5) * .pi / 2) }
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
        return scaled
    }
}

extension SIMD4 where Scalar == Float {
    /// Three doubles and a fourth number.
    init(_ v: Vector3, _ w: Float) { self.init(Float(v.x), Float(v.y), Float(v.z), w) }
}
