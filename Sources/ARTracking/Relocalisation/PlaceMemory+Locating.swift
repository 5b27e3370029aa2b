// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARVision

extension PlaceMemory {

    /// Where the camera is, from one picture, or `nil` unless it is beyond doubt.
    ///
    /// Beyond doubt: at least 15 points, spread over the picture, are seen within 3 pixels of where the pose says and look
    /// as remembered; they are at least 60 % of the corners at which the pose says that something remembered is; the
    /// position is known to 2 cm and the attitude to 0.25°, even without those that tell the most; and no other pose has half
    /// as many points that look alike on its side. Where it is to better than that, the surroundings of the nearest views'
    /// points tell once they are aligned.
    /// - levelFromOptical: the camera's attitude but for an unknown turn about +Y.
    /// - levelDeviation: how well it knows what is up: a standard deviation in radians.
    public func locate(
        _ image: ImageBuffer, camera: Camera, levelFromOptical: Rotation, levelDeviation: Double = 0.015
    ) -> Place? {
        guard !views.isEmpty else { return nil }
        let query = PlaceQuery(
            image, camera: camera, levelFromOptical: levelFromOptical, levelDeviation: levelDeviation)
        let looseLimit = max(Self.looseLimit, levelDeviation / query.pixelAngle)
        let alike = viewsAlike(query)
        let sights = query.sights(of: alike)
        guard let start = startingPose(for: query, sights, levelFromOptical: levelFromOptical, within: looseLimit),
            let rough = settle(start, on: sights, query, limits: [looseLimit, Self.looseLimit, Self.middleLimit])
        else { return nil }
        let around = viewsAround(rough.worldFromOptical, distance: alike[0].stand.distance)
        let nearby = query.agreement(with: rough.worldFromOptical, on: around, within: Self.middleLimit)
        guard
            let result = settle(
                rough.worldFromOptical, on: nearby.sights, query, limits: [Self.middleLimit, Place.limitPixels])
        else { return nil }
        let final = finer(result, around, query, PlaceDetail(image)) ?? result
        let agreement = query.agreement(with: final.worldFromOptical, on: around, within: Place.limitPixels)
        return Place(final, agreement, width: image.size.width)
    }

    /// The pose that the points of the nearest views allow best once their surroundings are aligned, or `nil` where too few can
    /// be, where they contradict each other, or where they tell less than the corners: a few that lie together fit many poses.
    private func finer(
        _ byCorners: PlaceRefinement.Result, _ views: [PlaceView], _ query: PlaceQuery, _ detail: PlaceDetail
    ) -> PlaceRefinement.Result? {
        var result = byCorners
        for limit in Self.alignedLimits {
            let aligned = query.aligned(
                views.prefix(Self.alignedCount), in: detail, expectedFrom: result.worldFromOptical,
                within: Self.looseLimit)
            guard aligned.count >= Place.fewestInliers else { return nil }
            let errors = aligned.map { query.refinement.error(of: $0, from: result.worldFromOptical) }
            let refinement = query.refinement(ofAlignedErring: errors)
            let agreeing = zip(aligned, errors).filter {
                $0.1 < min(limit, Self.alignedLimitDeviations * refinement.pixelDeviation)
            }
            guard agreeing.count >= Place.fewestInliers,
                Double(agreeing.count) >= Place.leastShare * Double(aligned.count),
                let refined = refinement.refined(result.worldFromOptical, with: agreeing.map(\.0))
            else { return nil }
            result = refined
        }
        return result.isBetterKnown(than: byCorners) ? result : nil
    }

    /// How many views are aligned.
    private static let alignedCount = 4
    /// How far from where they are expected surroundings may fit with each pose, in pixels, and in standard deviations of what
    /// they err by.
    private static let alignedLimits = [looseLimit, middleLimit, middleLimit]
    private static let alignedLimitDeviations = 3.0

    /// How far sights may be from where a pose says while it is trusted more and more, in pixels; at first as far as a wrong
    /// attitude puts them.
    private static let looseLimit = 8.0
    private static let middleLimit = 5.0

    /// The pose with which most sights agree, unless what they leave over agrees almost as well with another.
    private func startingPose(
        for query: PlaceQuery, _ sights: [PlaceSight], levelFromOptical: Rotation, within limit: Double
    ) -> RigidTransform? {
        guard sights.count >= Self.fewestSights else { return nil }
        var random = SeededRandom(seed: 0, purpose: "relocalisation")
        func best(_ sights: [PlaceSight]) -> (worldFromOptical: RigidTransform, support: Int)? {
            let consensus = PlaceConsensus(
                sights, levelFromOptical: levelFromOptical, limitRadians: limit * query.pixelAngle)
            return consensus.bestPose(random: &random).map {
                ($0 * RigidTransform(rotation: levelFromOptical), consensus.support(of: $0))
            }
        }
        guard let first = best(sights) else { return nil }
        let others = sights.filter {
            query.refinement.error(of: $0, from: first.worldFromOptical) > Self.rivalLimit * limit
        }
        guard let rival = best(others) else { return first.worldFromOptical }
        return 2 * rival.support > first.support ? nil : first.worldFromOptical
    }

    private static let fewestSights = 8
    /// What is so many times as far from where the pose says as it may be is not merely seen badly.
    private static let rivalLimit = 2.5

    /// The remembered views that have the most points in common with the picture, by votes of its strongest corners.
    private func viewsAlike(_ query: PlaceQuery) -> [PlaceView] {
        let votes = views.map {
            query.voters.matches(with: $0.descriptors, mostDifferentBits: 64, ratio: 0.85).count
        }
        return views.indices.filter { votes[$0] >= Self.fewestVotes }
            .sorted { (votes[$0], $1) > (votes[$1], $0) }.prefix(Self.viewCount).map { views[$0] }
    }

    private static let fewestVotes = 4
    private static let viewCount = 5

    /// The views that show most nearly what is seen from a pose, the points being so far away.
    private func viewsAround(_ worldFromOptical: RigidTransform, distance: Double) -> [PlaceView] {
        let stand = PlaceStand(worldFromOptical, distance: distance)
        let differences = views.map { $0.stand.difference(from: stand) }
        return views.indices.sorted { (differences[$0], $0) < (differences[$1], $1) }
            .prefix(Self.aroundCount).map { views[$0] }
    }

    private static let aroundCount = 10

    /// Moves a pose to where the sights within each of the limits want it.
    private func settle(
        _ start: RigidTransform, on sights: [PlaceSight], _ query: PlaceQuery, limits: [Double]
    ) -> PlaceRefinement.Result? {
        var result: PlaceRefinement.Result?
        for limit in limits {
            let pose = result?.worldFromOptical ?? start
            let agreeing = sights.filter { query.refinement.error(of: $0, from: pose) < limit }
            guard agreeing.count >= Self.fewestSights else { return nil }
            result = query.refinement.refined(pose, with: agreeing)
            guard result != nil else { return nil }
        }
        return result
    }
}

extension Place {
    static let fewestInliers = 15
    static let limitPixels = 3.0
    fileprivate static let leastShare = 0.6
    private static let largestDeviation = 0.02
    private static let largestAttitudeDeviation = 0.25 * Double.pi / 180
    /// The standard deviation of the inliers' pixels along the direction in which it is smallest, over the picture's width.
    private static let leastSpread = 0.07

    /// What was found, if it is beyond doubt.
    fileprivate init?(_ result: PlaceRefinement.Result, _ agreement: PlaceQuery.Agreement, width: Int) {
        guard let covariance = result.covarianceOfTheRest else { return nil }
        worldFromOptical = result.worldFromOptical
        poseCovariance = covariance
        inlierCount = agreement.sights.count
        inlierShare = agreement.share
        guard inlierCount >= Self.fewestInliers, inlierShare >= Self.leastShare,
            positionDeviation < Self.largestDeviation, attitudeDeviation < Self.largestAttitudeDeviation,
            Self.spread(of: agreement.sights) >= Self.leastSpread * Double(width)
        else { return nil }
    }

    /// The standard deviation of the pixels along the direction in which it is smallest.
    private static func spread(of sights: [PlaceSight]) -> Double {
        let count = Double(sights.count)
        let mean = sights.reduce(Vector2.zero) { $0 + $1.pixel.vector } / count
        let (xx, xy, yy) = sights.reduce((0.0, 0.0, 0.0)) { sum, sight in
            let d = sight.pixel.vector - mean
            return (sum.0 + d.x * d.x / count, sum.1 + d.x * d.y / count, sum.2 + d.y * d.y / count)
        }
        let halfDifference = (xx - yy) / 2
        return max((xx + yy) / 2 - (halfDifference * halfDifference + xy * xy).squareRoot(), 0).squareRoot()
    }
}
