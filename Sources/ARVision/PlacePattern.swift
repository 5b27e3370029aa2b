// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import CVision

/// Where descriptors look: places around a point, and which of them are compared.
///
/// Places are spread normally around the point, as Calonder et al. 2010 found best, within a circle; pairs are drawn at
/// random, none twice, of places that are neither the same nor next to each other. The same pattern always.
struct PlacePattern: Sendable {
    static let shared = PlacePattern(seed: 0)

    /// x y x y …, in pixels of the picture.
    private let coordinates: [Float]
    /// Two indices of places a bit.
    private let pairs: [UInt8]

    /// How far from the point places are at most, and their standard deviation, in pixels of the picture.
    static let radius = 26.0
    private static let deviation = 12.0
    private static let placeCount = 128
    private static let leastDistance = 6.0

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "place pattern")
        var places: [SIMD2<Double>] = []
        while places.count < Self.placeCount {
            let (x, y) = random.normalPair()
            let place = SIMD2(x, y) * Self.deviation
            if place.squaredLength <= Self.radius * Self.radius { places.append(place) }
        }
        func drawPlace() -> Int { Int(random.next() % UInt64(Self.placeCount)) }
        var pairs: [UInt8] = []
        var drawn: Set<Int> = []
        while pairs.count < 2 * Int(CVISION_DESCRIPTOR_BITS) {
            let (first, second) = (drawPlace(), drawPlace())
            guard (places[first] - places[second]).squaredLength >= Self.leastDistance * Self.leastDistance,
                drawn.insert(min(first, second) * Self.placeCount + max(first, second)).inserted
            else { continue }
            pairs += [UInt8(first), UInt8(second)]
        }
        coordinates = places.flatMap { [Float($0.x), Float($0.y)] }
        self.pairs = pairs
    }

    /// The descriptors of points whose surroundings lie in the picture as the warps say.
    func describe(_ warps: [CVisionWarp], in pyramid: ImagePyramid, level: Int) -> [CVisionDescriptor] {
        var descriptors = [CVisionDescriptor](repeating: CVisionDescriptor(), count: warps.count)
        let status = coordinates.withUnsafeBufferPointer { coordinates in
            pairs.withUnsafeBufferPointer { pairs in
                var pattern = CVisionDescriptorPattern(
                    points_xy: coordinates.baseAddress, point_count: Int32(Self.placeCount), pairs: pairs.baseAddress)
                return pyramid.withKernelPyramid {
                    cvision_describe_points(&$0, Int32(level), &pattern, warps, Int32(warps.count), &descriptors)
                }
            }
        }
        check(status)
        return descriptors
    }
}
