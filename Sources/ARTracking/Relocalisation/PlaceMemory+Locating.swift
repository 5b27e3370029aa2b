// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARVision

extension PlaceMemory {
    /// Where the camera is, from one picture, or `nil` unless it is beyond doubt.
    ///
    /// Beyond doubt: at least 15 points, spread over the picture, are seen within 3 pixels of where the pose says; they
    /// are at least 40 % of those that look like remembered ones; and they hold the position to 2 cm.
    /// - levelFromOptical: the camera's attitude but for an unknown turn about +Y; up is trusted to about 1°.
    public func locate(_ image: ImageBuffer, camera: Camera, levelFromOptical: Rotation) -> Place? {
        guard !views.isEmpty else { return nil }
        let query = PlaceQuery(image, camera: camera, levelFromOptical: levelFromOptical)
        guard query.pixels.count >= Place.fewestInliers else { return nil }
        let alike = viewsAlike(query)
        let sights = query.sights(of: alike)
        guard sights.count >= Place.fewestInliers else { return nil }
        var random = SeededRandom(seed: 0, purpose: "relocalisation")
        let consensus = PlaceConsensus(
            sights, levelFromOptical: levelFromOptical, limitRadians: Self.looseLimit * query.pixelAngle)
        guard let worldFromLevel = consensus.bestPose(random: &random) else { return nil }
        let start = worldFromLevel * RigidTransform(rotation: levelFromOptical)
        guard let rough = settle(start, on: sights, query, limits: [Self.looseLimit, Self.middleLimit]) else {
            return nil
        }
        let found = query.sights(of: alike, near: rough.worldFromOptical, within: Self.middleLimit)
        guard
            let place = settle(rough.worldFromOptical, on: found, query, limits: [Self.middleLimit, Place.limitPixels])
        else { return nil }
        return Place(place, query: query, found: found, alike: sights)
    }

    /// How far sights may be from where a pose says while it is trusted more and more, in pixels.
    private static let looseLimit = 8.0
    private static let middleLimit = 5.0

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

    /// Moves a pose to where the sights within each of the limits want it.
    private func settle(
        _ start: RigidTransform, on sights: [PlaceSight], _ query: PlaceQuery, limits: [Double]
    ) -> PlaceRefinement.Result? {
        var result: PlaceRefinement.Result?
        for limit in limits {
            let pose = result?.worldFromOptical ?? start
            let agreeing = sights.filter { query.refinement.error(of: $0, from: pose) < limit }
            guard agreeing.count >= Place.fewestInliers / 2 else { return nil }
            result = query.refinement.refined(pose, with: agreeing)
            guard result != nil else { return nil }
        }
        return result
    }
}

extension Place {
    static let fewestInliers = 15
    static let limitPixels = 3.0
    private static let leastShare = 0.4
    private static let largestDeviation = 0.02
    /// The standard deviation of the inliers' pixels along the direction in which it is smallest, over the picture's width.
    private static let leastSpread = 0.07

    /// What was found, if it is beyond doubt.
    fileprivate init?(
        _ result: PlaceRefinement.Result, query: PlaceQuery, found: [PlaceSight], alike: [PlaceSight]
    ) {
        func agreeing(_ sights: [PlaceSight], _ limit: Double) -> [PlaceSight] {
            sights.filter { query.refinement.error(of: $0, from: result.worldFromOptical) < limit }
        }
        let inliers = agreeing(found, Self.limitPixels)
        worldFromOptical = result.worldFromOptical
        poseCovariance = result.covariance
        inlierCount = inliers.count
        inlierShare = Double(agreeing(alike, Self.limitPixels).count) / Double(alike.count)
        guard inlierCount >= Self.fewestInliers, inlierShare >= Self.leastShare,
            positionDeviation < Self.largestDeviation,
            Self.spread(of: inliers) >= Self.leastSpread * Double(query.width)
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
