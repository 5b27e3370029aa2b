// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARTracking

@Suite struct WindowSightsTests {
    private static let settings = InitialisationSettings()
    private static let calibration = CameraState(
        CameraCalibration(
            camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 500, fy: 500, cx: 319.5, cy: 239.5))),
            imageSize: ImageSize(width: 640, height: 480), rateInHertz: 30))

    /// Sixty frames, thirty a second. So many points are in sight at any time, each for so many frames.
    private static func frames(_ pointCount: Int = 200, inSightFor frameCount: Int) -> [MotionAlignment.Frame] {
        (0..<60).map { frame in
            let points = (0..<pointCount).map { place in
                // Points give way to others one by one, not all at once.
                let generation = (frame + place * frameCount / pointCount) / frameCount
                return SeenPoint(
                    id: UInt64(generation * pointCount + place),
                    pixel: PixelPoint(Double(20 + place % 20 * 30), Double(20 + place / 20 * 40)), deviationPixels: 0.2)
            }
            return MotionAlignment.Frame(
                timestamp: Timestamp(nanoseconds: Int64(frame) * 33_333_333), points: points)
        }
    }

    private static func sights(_ frames: [MotionAlignment.Frame]) -> WindowSights? {
        WindowSights(frames: frames, calibration: calibration, settings: settings)
    }

    /// Where points stay in sight, the fewest frames are looked at; where they pass by, as many as see enough of them.
    @Test(arguments: [(60, 12), (20, 12), (14, 22), (8, 32)])
    func whatPassesByIsLookedAtMoreClosely(inSightFor frameCount: Int, chosen: Int) throws {
        let sights = try #require(Self.sights(Self.frames(inSightFor: frameCount)))
        #expect(sights.instants.count == chosen)
        let rayCount = sights.rays.reduce(0) { $0 + $1.count }
        #expect(rayCount <= Self.settings.mostRays && rayCount > Self.settings.mostRays - chosen)
        #expect(sights.rays.allSatisfy { $0.count >= 4 && Set($0.map(\.frame)).count == $0.count })
    }

    /// Where even the most frames do not see enough points, those are looked at: few tracks are better than none.
    @Test func fewPointsAreLookedAtInAsManyFramesAsThereAre() throws {
        let sights = try #require(Self.sights(Self.frames(20, inSightFor: 10_000)))
        #expect(sights.instants.count == 32)
        #expect(sights.rays.count == 20 && sights.rays.allSatisfy { $0.count == 32 })
        let short = try #require(Self.sights(Array(Self.frames(20, inSightFor: 10_000).prefix(17))))
        #expect(short.instants.count == 17)
    }

    /// Points that stand still err by no blur. In a quick turn that comes and goes those sights err most that are blurred otherwise than
    /// most.
    @Test func whatIsBlurredOtherwiseErrs() throws {
        let still = Self.frames(inSightFor: 10_000)
        #expect(try #require(Self.sights(still)).rays.allSatisfy { $0.allSatisfy { $0.blurVariance == 0 } })
        var turning = still
        for frame in 30..<40 {
            for point in turning[frame].points.indices {
                turning[frame].points[point].pixel.x += 12 * Double(frame - 29)
            }
        }
        let rays = try #require(Self.sights(turning)).rays
        let (chosen, quick) = (12, 30...40)
        for ray in rays.joined() {
            let isQuick = quick.contains(ray.frame * 59 / (chosen - 1))
            #expect(isQuick ? ray.blurVariance > 0.03 : ray.blurVariance < 0.02)
        }
    }

    /// What is seen three times says too little.
    @Test func glimpsesAreNoTracks() {
        #expect(Self.sights(Self.frames(inSightFor: 5)) == nil)
        #expect(Self.sights([]) == nil)
        #expect(Self.sights(Array(Self.frames(inSightFor: 60).prefix(3))) == nil)
    }
}
