// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Odometry {
    /// Updates with the tracks that are lost and those that the leaving clone saw.
    mutating func updateWithTracks(leaving: Int?) {
        let oldestLeaves = leaving != nil && leaving == window.first
        let candidates = tracks.indices
            .filter { index in
                let track = tracks[index]
                guard track.observations.count >= settings.trackObservations else { return false }
                return track.isLost || (oldestLeaves && track.observations.first?.clone == leaving)
            }
            .sorted { (tracks[$0].observations.count, tracks[$1].id) > (tracks[$1].observations.count, tracks[$0].id) }
        stacked.rows = 0
        for index in candidates.prefix(settings.tracksPerUpdate) {
            let track = tracks[index]
            tracks[index].observations.removeAll(keepingCapacity: true)
            guard let landmark = located(track, maximumDepthError: settings.trackDepthError)?.landmark,
                filter.write(track, as: landmark, into: &block)
            else {
                report.tracksRefused += 1
                continue
            }
            block.eliminateFirstColumns(3)
            gated.copy(block, fromRow: 3)
            guard let factor = factor(for: gated) else {
                report.tracksRefused += 1
                continue
            }
            gated.scale(by: factor)
            report.tracksUsed += 1
            stacked.append(gated)
        }
        filter.covariance.compress(&stacked)
        filter.update(with: stacked)
    }

    /// Where a track's point is, and the standard deviation of its distance as a share of it; or `nil` where that is not known well
    /// enough.
    func located(_ track: FeatureTrack, maximumDepthError: Double) -> (landmark: Landmark, depthError: Double)? {
        var sights: [Sight] = []
        sights.reserveCapacity(track.observations.count)
        for observation in track.observations.reversed() {
            guard let sight = filter.sight(of: observation) else { return nil }
            sights.append(sight)
        }
        let focal = filter.calibration.camera.intrinsics.fx
        guard let triangulation = Triangulation(sights) else { return nil }
        guard triangulation.error * focal < settings.largestReprojectionError else { return nil }
        let deviation = triangulation.inverseDepthDeviation * settings.usualPixelDeviation / focal
        guard deviation <= maximumDepthError * triangulation.coordinates.z,
            let landmark = filter.landmark(at: triangulation, in: sights[0], of: track)
        else { return nil }
        return (landmark, deviation / triangulation.coordinates.z)
    }

    /// By what measurements are multiplied before they are used, or `nil` where they fail Mahalanobis' test.
    mutating func factor(for measurements: Measurements) -> Double? {
        guard
            let distances = filter.covariance.squaredDistances(of: measurements, noiseShare: usualNoise.share)
        else { return nil }
        return settings.factor(distances, rows: measurements.rows)
    }
}
