// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import CFeatures
import Foundation
import Testing

@testable import ARTargets

@Suite struct FeatureTests {
    /// Inverse prints are looked up by changing fixed bits of the signature: each bit changes always or never.
    @Test func lightAndDarkChangeTheSameBitsOfAllFeatures() throws {
        var changes = [Int](repeating: 0, count: 128)
        var count = 0
        let space = ScaleSpace()
        for number in 1...6 {
            let picture = Emblem(number: number).image(width: 320).gray
            var inverse = picture
            for index in inverse.bytes.indices { inverse.bytes[index] = 255 - inverse.bytes[index] }
            space.fill(with: picture, longestSide: 900, strongerThan: 1.2)
            let own = space.features(directionLimit: 2, limit: 400)
            space.fill(with: inverse, longestSide: 900, strongerThan: 1.2)
            for feature in space.features(directionLimit: 2, limit: 400) {
                guard
                    let same = own.first(where: {
                        abs($0.x_px - feature.x_px) < 0.3 && abs($0.y_px - feature.y_px) < 0.3
                            && abs($0.scale_px - feature.scale_px) < 0.05 * feature.scale_px
                            && cos($0.angle_rad - feature.angle_rad) < -0.999
                    })
                else { continue }
                count += 1
                let words = (same.signature.0 ^ feature.signature.0, same.signature.1 ^ feature.signature.1)
                for bit in 0..<64 {
                    changes[bit] += Int(words.0 >> UInt64(bit) & 1)
                    changes[64 + bit] += Int(words.1 >> UInt64(bit) & 1)
                }
            }
        }
        try #require(count > 100)
        for (bit, changed) in changes.enumerated() {
            let share = Double(changed) / Double(count)
            // A form that is almost zero may go either way.
            #expect(share < 0.08 || share > 0.92, "bit \(bit): \(share)")
        }
    }

    /// What is told of a feature does not depend on what else is described: of fewer features, each is among the more.
    @Test(arguments: [30, 31, 64]) func featuresAreToldOneByOne(limit: Int) throws {
        let space = ScaleSpace()
        space.fill(with: WarpedPrints(seed: 3).image, longestSide: 900, strongerThan: 1.2)
        let all = Set(space.features(directionLimit: 2, limit: 4000).map(FeatureBits.init))
        try #require(all.count > 100 && all.count < 4000)
        let few = space.features(directionLimit: 2, limit: limit)
        #expect(few.count == limit)
        #expect(few.allSatisfy { all.contains(FeatureBits($0)) })
    }

    /// Rows and columns are smoothed alike at both ends: a picture turned by half a turn has the same features, turned. Its sides
    /// are odd, so that the coarser pictures have the same pixels, too.
    @Test func endsOfAPictureAreAlike() throws {
        let picture = WarpedPrints(size: ImageSize(width: 641, height: 481), seed: 4).image
        var turned = picture
        turned.bytes.reverse()
        let space = ScaleSpace()
        space.fill(with: picture, longestSide: 900, strongerThan: 1.2)
        let own = space.features(directionLimit: 1, limit: 4000)
        space.fill(with: turned, longestSide: 900, strongerThan: 1.2)
        let others = space.features(directionLimit: 1, limit: 4000)
        try #require(own.count > 100 && own.count < 4000)
        #expect(own.count == others.count)
        for feature in own {
            let isThere = others.contains {
                abs(640 - $0.x_px - feature.x_px) < 1e-3 && abs(480 - $0.y_px - feature.y_px) < 1e-3
                    && abs($0.strength - feature.strength) < 1e-3
            }
            #expect(isThere, "at \(feature.x_px), \(feature.y_px), strength \(feature.strength)")
        }
    }

    /// What features must exceed is a grey level.
    @Test(arguments: [
        (Float(1.2), true), (255, true), (0, false), (-1, false), (256, false), (.infinity, false), (.nan, false),
    ])
    func strengthsAreGreyLevels(strength: Float, isOne: Bool) throws {
        let space = try #require(cfeatures_create_scale_space())
        defer { cfeatures_destroy_scale_space(space) }
        let status = Emblem(number: 1).image(width: 64).gray.withKernelPicture {
            cfeatures_fill_scale_space(space, &$0, 0, strength)
        }
        #expect(status == (isOne ? CFEATURES_OK : CFEATURES_INVALID_ARGUMENT))
    }
}

/// All of a feature's numbers.
private struct FeatureBits: Hashable {
    private let place: [Float]
    private let signature: [UInt64]
    private let forms: [Int16]

    init(_ feature: CFeature) {
        place = [feature.x_px, feature.y_px, feature.scale_px, feature.angle_rad, feature.strength]
        signature = [feature.signature.0, feature.signature.1]
        forms = withUnsafeBytes(of: feature.key_forms) { Array($0.bindMemory(to: Int16.self)) }
    }
}
