// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Odometry {
    /// Updates with the landmarks that the newest frame shows, and forgets the others.
    ///
    /// What noise is usual, how far the picture is turned by itself and whether the lens focuses is asked of all of them before any is
    /// tested: a picture that blurs, shakes or grows refuses none.
    mutating func updateWithLandmarks(_ newest: Int) {
        letCameraChange(newest)
        gatherLandmarks()
        let before = usualNoise.share
        usualNoise.learn(from: seenLandmarks.lazy.map(\.distances.usual))
        // Where the share has risen, a squared distance has shrunk by as much, at most.
        let shrinkage = min(1, before / usualNoise.share)
        for (index, (slot, seen)) in seenLandmarks.enumerated() {
            let usual = max(seen.stated, shrinkage * seen.usual)
            let factor = settings.factor(SquaredDistances(stated: seen.stated, usual: usual), rows: 2)
            landmarkRows.scale(2 * index..<2 * index + 2, by: factor ?? 0)
            guard factor == nil else {
                filter.landmarks[slot]!.missedFrames = 0
                filter.landmarks[slot]!.sightCount += 1
                report.landmarksUpdated += 1
                continue
            }
            report.landmarksRefused += 1
            if filter.landmarks[slot]!.missedFrames >= settings.landmarkPatience { filter.removeLandmark(slot) }
        }
        filter.update(with: landmarkRows)
        for slot in filter.landmarks.indices {
            if let landmark = filter.landmarks[slot], landmark.coordinates.z < Landmark.smallestInverseDepth {
                filter.removeLandmark(slot)
            }
        }
    }

    /// Takes the newest picture to be turned by itself, and the focal length to have changed since the one before, as far as they do, of
    /// which its landmarks tell.
    private mutating func letCameraChange(_ newest: Int) {
        let intrinsics = filter.calibration.camera.intrinsics
        let focal = intrinsics.fx
        for slot in filter.landmarks.indices {
            guard let landmark = filter.landmarks[slot], let track = tracks.first(where: { $0.id == landmark.id }),
                !track.isLost, let observation = track.observations.last
            else { continue }
            landmarkPair.rows = 0
            guard
                filter.append(
                    observation, of: landmark, filter.anchored(landmark), variable: filter.layout.landmark(slot),
                    to: &landmarkPair)
            else { continue }
            let angle = observation.deviationPixels / focal
            let variance = filter.covariance.largestVariance(ofPair: landmarkPair)
            let error = angle * Vector2(landmarkPair[residual: 0], landmarkPair[residual: 1])
            let (expected, noise) = (angle * angle * variance, angle * angle * usualNoise.share)
            let place = intrinsics.tangent(of: observation.pixel)
            pictureShake.hear(error, variance: expected, noise: noise, fromCenter: place)
            lensBreath.hear(error, variance: expected, noise: noise, fromCenter: place)
        }
        pictureShake.learn()
        filter.turnPicture(newest, variance: pictureShake.variance)
        if pictureShake.variance > 0 { makeTurned(newest) }
        lensBreath.learn()
        filter.changeFocalLength(variance: lensBreath.variance)
    }

    /// Puts what the newest picture shows where it would be if the picture were turned, as its clone is, and not moved.
    private mutating func makeTurned(_ newest: Int) {
        let intrinsics = filter.calibration.camera.intrinsics
        for track in tracks.indices {
            guard let last = tracks[track].observations.indices.last,
                tracks[track].observations[last].clone == newest
            else { continue }
            let pixel = tracks[track].observations[last].pixel
            let turn = intrinsics.fx * pictureShake.missingTurn(at: intrinsics.tangent(of: pixel))
            tracks[track].observations[last].pixel = PixelPoint(pixel.x + turn.x, pixel.y + turn.y)
        }
    }

    /// Writes what the newest frame shows of the landmarks, two rows each, and how far that is from what was expected; forgets
    /// those that it does not show.
    private mutating func gatherLandmarks() {
        landmarkRows.rows = 0
        seenLandmarks.removeAll(keepingCapacity: true)
        for slot in filter.landmarks.indices {
            guard let landmark = filter.landmarks[slot] else { continue }
            landmarkPair.rows = 0
            guard let index = tracks.firstIndex(where: { $0.id == landmark.id }), !tracks[index].isLost,
                let observation = tracks[index].observations.last
            else {
                if landmark.absence == nil { leave(slot) }
                continue
            }
            filter.landmarks[slot]!.absence = nil
            filter.slide(landmark: slot, to: observation)
            guard
                filter.append(
                    observation, of: landmark, filter.anchored(landmark), variable: filter.layout.landmark(slot),
                    to: &landmarkPair),
                filter.whitenBlur(of: observation, meantAs: landmark.blur, in: &landmarkPair),
                let distances = filter.covariance.squaredDistances(of: landmarkPair, noiseShare: usualNoise.share)
            else {
                filter.removeLandmark(slot)
                continue
            }
            // What is seen of a landmark is used here, and never as a track.
            tracks[index].observations.removeAll(keepingCapacity: true)
            landmarkRows.append(landmarkPair)
            seenLandmarks.append((slot, distances))
        }
    }

    /// Makes landmarks of the tracks that are seen longest and whose depth is known best.
    mutating func promoteTracks() {
        let seenCount = filter.landmarks.count { $0.map { $0.absence == nil } ?? false }
        let free = filter.landmarks.indices.filter { filter.landmarks[$0] == nil }
            .prefix(max(settings.landmarkCount - seenCount, 0))
        guard !free.isEmpty else { return }
        let candidates = tracks.indices
            .filter { !tracks[$0].isLost && tracks[$0].observations.count >= settings.landmarkObservations }
            .sorted { (tracks[$0].observations.count, tracks[$1].id) > (tracks[$1].observations.count, tracks[$0].id) }
        var freeSlots = free
        for index in candidates.prefix(2 * free.count) {
            guard let slot = freeSlots.first else { break }
            guard let landmark = located(tracks[index], maximumDepthError: settings.landmarkDepthError)?.landmark,
                filter.write(tracks[index], as: landmark, into: &block)
            else { continue }
            block.eliminateFirstColumns(3)
            gated.copy(block, fromRow: 3)
            guard let factor = factor(for: gated) else { continue }
            block.scale(by: factor)
            gated.scale(by: factor)
            guard filter.addLandmark(landmark, slot: slot, from: block) else { continue }
            filter.update(with: gated)
            freeSlots.removeFirst()
            tracks[index].observations.removeAll(keepingCapacity: true)
            report.landmarksAdded += 1
        }
    }
}

extension PinholeIntrinsics {
    /// How far from the picture's centre a pixel lies, over the focal length: of a pinhole camera, the angle's tangent.
    fileprivate func tangent(of pixel: PixelPoint) -> Vector2 { Vector2(pixel.x - cx, pixel.y - cy) / fx }
}
