// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

extension DepthPicture {
    /// The depths to look at: white is the nearest, black the farthest or nothing; equal steps are equal changes of the
    /// depth's reciprocal, as near things matter more.
    public var preview: ImageBuffer {
        let known = meters.filter { $0 > 0 }
        let (near, far) = (1 / (known.min() ?? 1), 1 / (known.max() ?? 1))
        let bytes = meters.map { depth -> UInt8 in
            guard depth > 0 else { return 0 }
            return near > far ? UInt8((20 + 235 * (1 / depth - far) / (near - far)).rounded()) : 255
        }
        return ImageBuffer(size: size, format: .gray8, bytes: bytes)
    }
}

extension ObjectPicture {
    /// The things to look at, each in a colour that its number decides; black is nothing.
    public var preview: ImageBuffer {
        ImageBuffer(size: size, format: .rgb8, bytes: ids.flatMap(Self.color))
    }

    /// Hues a golden angle apart: neighbouring numbers differ much, and none comes twice.
    private static func color(of id: UInt16) -> [UInt8] {
        guard id > 0 else { return [0, 0, 0] }
        let hue = (Double(id) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
        let value = id.isMultiple(of: 2) ? 255.0 : 190
        let shifts: [Double] = [0, 1 / 3.0, 2 / 3.0]
        return shifts.map { shift -> UInt8 in
            let turned: Double = (hue + shift).truncatingRemainder(dividingBy: 1)
            let place: Double = abs(turned * 6 - 3) - 1
            let share: Double = 0.25 + 0.75 * min(max(place, 0), 1)
            return UInt8((value * share).rounded())
        }
    }
}
