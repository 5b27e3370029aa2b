// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

extension TargetScore {
    /// The picture in grey, coloured by how much there is to recognise it by: blue next to nothing, over green and yellow to
    /// red where features are dense.
    /// - Parameter longerSide: how many pixels the longer side of the heat map has at most.
    public static func heatMap(of picture: ImageBuffer, longerSide: Int = 640) -> ImageBuffer {
        let structure = PictureStructure(of: GrayPlane(picture, longerSide: PictureStructure.side))
        let plane = GrayPlane(picture, longerSide: longerSide)
        let (width, height) = (plane.size.width, plane.size.height)
        let density = FeatureDensity(structure)
        var map = ImageBuffer(size: plane.size, format: .rgb8)
        for y in 0..<height {
            for x in 0..<width {
                let heat = density.heat(
                    atX: (Double(x) + 0.5) / Double(width), y: (Double(y) + 0.5) / Double(height))
                let color = Self.color(ofHeat: heat)
                let gray = Double(plane[x, y])
                for channel in 0..<3 {
                    let value = 0.45 * gray + 0.55 * 255 * color[channel]
                    map.bytes[y * map.bytesPerRow + 3 * x + channel] = UInt8(min(max(value, 0), 255))
                }
            }
        }
        return map
    }

    /// Dark blue, green, yellow, red.
    private static func color(ofHeat heat: Double) -> Vector3 {
        let stops = [Vector3(0.05, 0.1, 0.45), Vector3(0, 0.6, 0.3), Vector3(0.95, 0.85, 0.1), Vector3(0.9, 0.1, 0.1)]
        let place = min(max(heat, 0), 1) * Double(stops.count - 1)
        let index = min(Int(place), stops.count - 2)
        return stops[index] + (stops[index + 1] - stops[index]) * (place - Double(index))
    }
}

/// How dense useful features are, on a grid.
private struct FeatureDensity {
    private let plane: GrayPlane

    private static let side = 96

    init(_ structure: PictureStructure) {
        var values = [Float](repeating: 0, count: Self.side * Self.side)
        for feature in structure.features {
            let column = min(Int(feature.place.x * Double(Self.side)), Self.side - 1)
            let row = min(Int(feature.place.y * Double(Self.side)), Self.side - 1)
            values[row * Self.side + column] += Float(feature.contrast / Double(1 + feature.twinCount))
        }
        let window: [Float] = [20.0 / 64, 15.0 / 64, 6.0 / 64, 1.0 / 64]
        var plane = GrayPlane(size: ImageSize(width: Self.side, height: Self.side), values: values)
        for _ in 0..<3 { plane = plane.blurred(window) }
        self.plane = plane
    }

    /// 0 … 1; one clear corner alone gives a half.
    func heat(atX x: Double, y: Double) -> Double {
        let value = plane.value(
            atX: Float(x * Double(Self.side) - 0.5), y: Float(y * Double(Self.side) - 0.5))
        return 1 - exp(-Double(value) / 0.025)
    }
}
