// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

// A patch of the picture is no point of the world: things at different distances share it, and light that moves. Seen from
// elsewhere it looks a little different, and is found a little aside, mostly along the direction in which it is held least. The
// camera may stand for minutes, and nothing slides; it may come back, and the point is where it was. From far aside it is hardly
// found worse than from less far. So where a point is found is taken for a stationary field over the directions from which it is
// seen, whose correlation falls exponentially (Ornstein and Uhlenbeck's along a line; Rasmussen & Williams 2006, "Gaussian
// Processes for Machine Learning", § 4.2.1): for directions v, as points on a sphere that has a pixel's angle for its unit of
// length, with L the reach,
//
//     cov(eᵢ, eⱼ) = S L/2 (1 + exp(−|vᵢ − vⱼ|/L) − exp(−|vᵢ − v₀|/L) − exp(−|vⱼ − v₀|/L)),
//
// of which v₀ is the direction from which the point's place is meant: the newest, at which a landmark that is made of a track
// begins. The path of directions may be anything; over ways that are short beside the reach the slides are a random walk, of the
// variance S a pixel. A landmark walks on whenever it is seen from further aside than ever before, by a pixel's angle, so that
// neither a hand's tremor nor its return is a way.
//
// Nor is a blurred patch a sharp one that noise hides: it is found aside, by the same in every picture that is blurred alike, and
// along the way twice as much as across. What two sights differ by for that has a covariance V in proportion to how their blurs C
// differ, whatever else lies between them; from the newest, as above,
//
//     cov(eᵢ, eⱼ) = (V(Cᵢ − C₀) + V(Cⱼ − C₀) − V(Cᵢ − Cⱼ)) / 2,      V(D) = s Σₖ |uₖᵀ D uₖ| uₖ uₖᵀ,
//
// with four directions uₖ, 45° from each other: by them a difference d in the blur along a way is s 3/2 d along it and s d/2 across,
// whatever the way. Each term is a field in one direction that wanders as a random walk does, over how much is blurred along it, so that
// the whole is a covariance of all sights.

extension VisualInertialFilter {
    /// Makes what the observations of a track say of each other's slides and blur part of their noise: their rows are then independent
    /// again. The rows are those of the observations, two each, by their own deviations. `false` where that has no numbers.
    ///
    /// Laws: `PointSlideTests.slidesAreWhitened`, `blurIsWhitened`.
    func whitenPlaces(of track: FeatureTrack, at point: HomogeneousPoint, in block: inout Measurements) -> Bool {
        let observations = track.observations
        let slide = track.slide
        guard slide.trace > 0 || observations.contains(where: { $0.blur.trace > 0 }) else { return true }
        let pixelsPerRadian = calibration.camera.intrinsics.fx
        let views = observations.map { view(of: point, in: $0) }
        func correlation(_ i: Int, _ j: Int) -> Double {
            exp(-(views[i] - views[j]).length * pixelsPerRadian / Self.slideReachPixels)
        }
        func blurred(_ i: Int, _ j: Int) -> PixelCovariance {
            observations[i].blur.placeCovariance(blurredAs: observations[j].blur)
        }
        let (rows, newest) = (2 * observations.count, observations.count - 1)
        let withNewest = observations.indices.map { correlation($0, newest) }
        let blurredSinceNewest = observations.indices.map { blurred($0, newest) }
        return block.whiten { covariance in
            for i in observations.indices {
                for j in 0...i {
                    let scale = 1 / (observations[i].deviationPixels * observations[j].deviationPixels)
                    let common = 1 + correlation(i, j) - withNewest[i] - withNewest[j]
                    let blurred = 0.5 * (blurredSinceNewest[i] + blurredSinceNewest[j] - blurred(i, j))
                    let placed = scale * (Self.slideReachPixels / 2 * common * slide + blurred)
                    let noise = i == j ? 1.0 : 0
                    covariance[2 * j * rows + 2 * i] = placed.xx + noise
                    covariance[2 * j * rows + 2 * i + 1] = placed.xy
                    covariance[(2 * j + 1) * rows + 2 * i] = placed.xy
                    covariance[(2 * j + 1) * rows + 2 * i + 1] = placed.yy + noise
                }
            }
        }
    }

    /// Adds what a landmark's place errs by, where it is seen with another blur than it is meant with, to the noise of what an observation
    /// says of it, two rows. `false` where that has no numbers. The next sights are blurred nearly so and err by the same; each is used
    /// alone, and so counts as if it had the errors of all.
    ///
    /// Law: `PointSlideTests.aLandmarkCountsLessInAnotherBlur`.
    func whitenBlur(
        of observation: FeatureTrack.Observation, meantAs meant: PixelCovariance, in pair: inout Measurements
    ) -> Bool {
        let variance = observation.deviationPixels * observation.deviationPixels
        let placed =
            Self.sightsBlurredAlike / variance * observation.blur.placeCovariance(blurredAs: meant)
        guard placed.trace > 0 else { return true }
        return pair.whiten { covariance in
            covariance[0] = placed.xx + 1
            covariance[1] = placed.xy
            covariance[2] = placed.xy
            covariance[3] = placed.yy + 1
        }
    }

    /// Lets a landmark slide by what it may more where an observation looks at it from than from all directions before.
    ///
    /// Laws: `PointSlideTests.aLandmarkSlidesAsItsTrackWould`, `whoComesBackHasNoWay`.
    mutating func slide(landmark slot: Int, to observation: FeatureTrack.Observation) {
        guard var landmark = landmarks[slot] else { return }
        let anchored = anchored(landmark)
        let direction = view(of: anchored.point, in: observation)
        // In the anchor's axes: what corrects the whole state is no way.
        let view = Vector3(
            direction.dot(anchored.columnAxis), direction.dot(anchored.rowAxis), direction.dot(anchored.forward))
        if observation.slide.trace > landmark.slide.trace { landmark.slide = observation.slide }
        let aside = (view - (landmark.view ?? view)).length * calibration.camera.intrinsics.fx
        landmark.view = landmark.view ?? view
        if aside > landmark.farthestAsidePixels + Self.leastWalkPixels,
            let reprojection = Reprojection(
                anchored.point, rowPose: worldFromImu(of: observation), calibration: calibration),
            let noise = ((Self.slid(aside) - Self.slid(landmark.farthestAsidePixels)) * landmark.slide).moved(
                from: reprojection.byScaledPoint * anchored.columnAxis, reprojection.byScaledPoint * anchored.rowAxis)
        {
            covariance.add(noise, to: layout.landmark(slot))
            landmark.farthestAsidePixels = aside
        }
        landmarks[slot] = landmark
    }

    /// The variance of a slide so many pixels from where the place is meant, by what it is a pixel.
    static func slid(_ pixels: Double) -> Double { slideReachPixels * (1 - exp(-pixels / slideReachPixels)) }

    /// How far a landmark's direction turns, in pixels, before it walks.
    private static let leastWalkPixels = 1.0
    /// How far aside a point slides by two thirds of what it slides at all, in pixels: measured behind rendered scenes.
    static let slideReachPixels = 50.0
    /// By how much of a blur's change a place errs for it, as variances, in the mean of both axes: measured behind rendered scenes
    /// (`FollowingTable`), 0.0066 for each point, and 1.4 times as much for what the points of a frame have in common of it.
    static let blurShare = 0.009
    /// How many sights in a row have their blur in common, about: a hand's quick turn lasts for a sixth of a second.
    static let sightsBlurredAlike = 4.0

    /// The direction in which a point lies when an observation was made, of length one.
    func view(of point: HomogeneousPoint, in observation: FeatureTrack.Observation) -> Vector3 {
        let camera = (worldFromImu(of: observation) * calibration.imuFromOptical).translation
        return (point.scaled - camera * point.weight).normalized() ?? .zero
    }
}

extension PixelCovariance {
    /// The covariance of what moves a pixel by `byFirst` and `bySecond`, where that is the pixel's only reason to move:
    /// B⁻¹ Σ B⁻ᵀ. `nil` where one of them does not move it, or both move it alike.
    fileprivate func moved(from byFirst: Vector2, _ bySecond: Vector2) -> PixelCovariance? {
        let determinant = byFirst.x * bySecond.y - bySecond.x * byFirst.y
        guard abs(determinant) > 1e-6 * byFirst.length * bySecond.length else { return nil }
        let first = Vector2(bySecond.y, -bySecond.x) / determinant
        let second = Vector2(-byFirst.y, byFirst.x) / determinant
        func product(_ a: Vector2, _ b: Vector2) -> Double {
            a.x * (xx * b.x + xy * b.y) + a.y * (xy * b.x + yy * b.y)
        }
        return PixelCovariance(xx: product(first, first), xy: product(first, second), yy: product(second, second))
    }

    /// Of blurs: the covariance of how far apart a point is found for them, of which the trace is twice ``blurShare`` of how much more the
    /// one spreads light than the other, if it does so along one way.
    ///
    /// Law: `PointSlideTests.blurPlacesAlongItsWay`.
    func placeCovariance(blurredAs other: PixelCovariance) -> PixelCovariance {
        let difference = self - other
        let diagonal = (difference.xx + difference.yy) / 2
        let (rising, falling) = (abs(diagonal + difference.xy) / 2, abs(diagonal - difference.xy) / 2)
        return VisualInertialFilter.blurShare
            * PixelCovariance(
                xx: abs(difference.xx) + rising + falling, xy: rising - falling,
                yy: abs(difference.yy) + rising + falling)
    }
}
