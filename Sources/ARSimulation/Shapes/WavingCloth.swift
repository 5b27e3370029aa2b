// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// A cloth that hangs from a pole at its left edge and waves in the wind.
///
/// At rest it lies in the plane of x, from the pole to the free end, and z, downwards; +Y is its front. Waves run from the
/// pole to the free end and grow with the distance from the pole; gusts make them higher and faster for a while. Where
/// the cloth is bent, its free end comes nearer to the pole, so that the cloth keeps its length along x within 5 % as long
/// as its slopes stay below 45°. Positions and normals are analytic at any time. Laws: `WavingClothTests`.
struct WavingCloth: Sendable {
    /// The cloth's width and height.
    let size: Vector2
    private let waves: [Wave]
    private let gusts: [Gust]
    private let waveSpeed: Double
    /// How far the lower free corner hangs below the pole's end of the lower edge.
    private let droop: Double

    /// A wave: amplitude at the free end, angular wave numbers along x and z, phase.
    private struct Wave {
        var amplitude: Double
        var alongX: Double
        var alongZ: Double
        var phase: Double
    }

    /// A sine that the wind's strength has.
    private struct Gust {
        var strength: Double
        var frequency: Double
        var phase: Double
    }

    /// The cloth of a flag; its waves and the wind are drawn from the seed and the flag's name.
    init(_ flag: Scene.Flag, seed: UInt64) {
        size = flag.size
        waveSpeed = flag.waveSpeed
        droop = 0.05 * flag.size.x
        var random = SeededRandom(seed: seed, purpose: "flag \(flag.name)")
        let number = 2 * Double.pi / flag.wavelengthMeters
        // One long wave that carries the motion, and two shorter ones across it that keep it from looking like a machine's.
        waves = [(1.0, 1.0, 0.15), (0.28, 1.63, 0.7), (0.10, 2.71, 1.6)].map { share, ratio, slant in
            Wave(
                amplitude: share * flag.amplitudeMeters, alongX: number * ratio,
                alongZ: number * slant * random.uniform(-1..<1), phase: random.uniform(0..<2 * .pi))
        }
        gusts = [(0.5, 0.9), (0.3, 2.1), (0.2, 4.3)].map { share, frequency in
            Gust(
                strength: share * flag.gusts, frequency: frequency * random.uniform(0.8..<1.2),
                phase: random.uniform(0..<2 * .pi))
        }
    }

    /// How much stronger the wind is than in the mean, −1…1.
    private func gust(at seconds: Double) -> Double {
        gusts.reduce(0) { $0 + $1.strength * sin($1.frequency * seconds + $1.phase) }
    }

    /// How far the waves have run: the integral of their speed.
    private func way(at seconds: Double) -> Double {
        let ahead = gusts.reduce(0) { $0 - $1.strength / $1.frequency * cos($1.frequency * seconds + $1.phase) }
        return waveSpeed * (seconds + 0.5 * ahead)
    }

    /// The cloth at an instant.
    func sheet(at seconds: Double) -> Sheet {
        Sheet(cloth: self, height: 1 + 0.6 * gust(at: seconds), way: way(at: seconds))
    }

    /// The cloth as it is at one instant.
    struct Sheet {
        fileprivate let cloth: WavingCloth
        fileprivate let height: Double
        fileprivate let way: Double

        /// The point of the cloth at `s` from the pole and `z` below the middle, both measured on the flat cloth.
        ///
        /// The waves' height is y = Σ a s/L sin(k s + m z − k·way). The way that x loses by it is half the integral of
        /// the squared slope: a part that grows steadily, and a wave of twice the number, of which the first wave's is
        /// kept.
        func vertex(s: Double, z: Double) -> SurfaceMesh.Vertex {
            let length = cloth.size.x
            var (y, slopeS, slopeZ) = (0.0, 0.0, 0.0)
            var (x, stretchS, stretchZ) = (s, 1.0, 0.0)
            for (index, wave) in cloth.waves.enumerated() {
                let growth = wave.amplitude * height / length
                let phase = wave.alongX * (s - way) + wave.alongZ * z + wave.phase
                let (sine, cosine) = (sin(phase), cos(phase))
                y += growth * s * sine
                slopeS += growth * (sine + s * wave.alongX * cosine)
                slopeZ += growth * s * wave.alongZ * cosine
                let (squared, number) = (growth * growth / 4, wave.alongX * wave.alongX)
                x -= squared * (number * s * s * s / 3 + s)
                stretchS -= squared * (number * s * s + 1)
                if index == 0 {
                    let (doubleSine, doubleCosine) = (2 * sine * cosine, cosine * cosine - sine * sine)
                    let factor = growth * growth * wave.alongX / 8
                    x -= factor * s * s * doubleSine
                    stretchS -= factor * (2 * s * doubleSine + 2 * s * s * wave.alongX * doubleCosine)
                    stretchZ -= factor * 2 * s * s * wave.alongZ * doubleCosine
                }
            }
            let sag = cloth.droop * (s / length) * (s / length)
            let alongS = Vector3(stretchS, slopeS, 2 * sag / max(s, .leastNormalMagnitude))
            let alongZ = Vector3(stretchZ, slopeZ, 1)
            return SurfaceMesh.Vertex(
                position: Point3(x, y, z + sag), normal: alongZ.cross(alongS).normalized() ?? Vector3(0, 1, 0))
        }
    }

    /// The cloth's point that lies at rest at `x` and `z` of the flag's frame, whose origin is the cloth's middle at rest.
    func vertex(of sheet: Sheet, x: Double, z: Double) -> SurfaceMesh.Vertex {
        var vertex = sheet.vertex(s: x + size.x / 2, z: z)
        vertex.position.x -= size.x / 2
        return vertex
    }

    /// The cloth's mesh at an instant, in the flag's frame.
    func mesh(at seconds: Double) -> SurfaceMesh {
        let sheet = sheet(at: seconds)
        return SurfaceMesh(columns: columns, rows: rows) { u, v in
            vertex(of: sheet, x: (u - 0.5) * size.x, z: (v - 0.5) * size.y)
        }
    }

    /// Enough to show the shortest wave with sixteen chords, within bounds.
    private var columns: Int {
        let shortest = waves.map { 2 * Double.pi / $0.alongX }.min() ?? size.x
        return min(max(Int(16 * size.x / shortest), 24), 120)
    }
    private var rows: Int { min(max(Int((Double(columns) * size.y / size.x / 2).rounded()), 8), 80) }
}
