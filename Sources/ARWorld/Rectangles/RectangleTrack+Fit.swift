// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

extension RectangleTrack {
    /// What follows from the views, the last of which is new.
    struct Solution {
        var outcome: RectangleFit.Outcome?
        var memory: SizeMemory
        /// Whether views told its size without a plane.
        var isSizeSeen: Bool
        /// Whether it was seen well enough to be reported.
        var isConfirmed = false
        /// Where it is, if its size is known well enough.
        var rectangle: WorldRectangle?
    }

    /// What follows from the views and from what was known; `nil` without a view.
    func solution(in snapshot: WorldSnapshot) -> Solution? {
        guard let newest = views.last else { return nil }
        let planes = plausible(snapshot.planes(under: newest.quad), from: newest)
        var solution = Solution(memory: memory, isSizeSeen: isSizeSeen || isSizeToldByViews)
        // What this moment says of the size, and then the place, with what all moments say.
        if let measured = best(knownSize: nil, planes: planes, frame: snapshot.frame),
            measured.sizeDeviation < 2 * settings.largestSizeDeviation, isRectangle(measured, in: newest)
        {
            solution.memory.remember(
                measured.shape.size, deviation: measured.sizeDeviation, from: Stand(of: newest, at: measured.shape),
                standDifference: settings.sizeMemoryTurn)
            solution.outcome =
                solution.memory.trusted.flatMap { measured.knowing($0.size, deviation: $0.deviation) } ?? measured
        } else {
            solution.outcome = best(knownSize: memory.known, planes: planes, frame: snapshot.frame)
        }
        guard let outcome = solution.outcome, outcome.sizeDeviation <= settings.largestSizeDeviation else {
            return solution
        }
        solution.isConfirmed = sightingCount >= settings.leastSightings && isRectangle(outcome, in: newest)
        solution.rectangle = WorldRectangle(outcome.shape, errors: outcome.errors)
        return solution
    }

    /// Whether the views alone tell the size.
    private var isSizeToldByViews: Bool {
        guard views.count >= 2, let newest = views.last, let shape = outcome?.shape else { return false }
        let fit = RectangleFit(views: views.map { weighed($0, beside: newest) })
        return fit.solved(from: shape, precision: 1e-4).map { $0.sizeDeviation < settings.largestSizeDeviation }
            ?? false
    }

    /// Of planes under the rectangle, those that are not far behind where it is: rays go on to the floor beneath a table.
    private func plausible(_ planes: [PlaneAnchor], from view: RectangleView) -> [PlaneAnchor] {
        guard let center = outcome?.shape.worldFromRectangle.translation else { return planes }
        let eye = view.worldFromOptical.translation
        let reach = 0.25 * (center - eye).length
        return planes.filter { anchor in
            let plane = Plane(worldFromPlane: anchor.worldFromAnchor)
            let side = plane.signedDistance(to: eye) < 0 ? -1.0 : 1
            return side * plane.signedDistance(to: center) < reach
        }
    }

    /// The shape that agrees best with the views and with the plane that it lies on: the first of the planes, unless another
    /// explains the views decisively better. From one stand, all parallel planes explain them equally well.
    ///
    /// It lies on none where views that tell its size themselves speak against all of them.
    private func best(
        knownSize: (size: RectangleSize, deviation: Double)?, planes: [PlaneAnchor], frame: TrackedFrame
    ) -> RectangleFit.Outcome? {
        guard let newest = views.last else { return nil }
        var fit = RectangleFit(views: views.map { weighed($0, beside: newest) })
        fit.knownSize = knownSize
        func solved(on plane: PlaneAnchor?) -> RectangleFit.Outcome? {
            fit.plane = plane.map { anchor in
                let plane = Plane(worldFromPlane: anchor.worldFromAnchor)
                return (plane, deviation(of: plane, seenIn: newest))
            }
            let known = outcome.flatMap { isFar($0.shape, from: plane, seenIn: newest) ? nil : [$0.shape] }
            let guesses = known ?? guesses(newest, size: knownSize?.size, on: plane, frame: frame)
            return guesses.compactMap { fit.solved(from: $0, precision: 1e-4) }
                .filter { $0.shape.facesCamera(of: newest) }.min { $0.cost < $1.cost }
        }
        func isDecisivelyBetter(_ other: RectangleFit.Outcome, than best: RectangleFit.Outcome?) -> Bool {
            best.map { other.cost + RectangleSolutions.decisiveDifference < $0.cost } ?? true
        }
        var best: RectangleFit.Outcome?
        for plane in planes {
            if let other = solved(on: plane), isDecisivelyBetter(other, than: best) { best = other }
        }
        guard best == nil || views.count >= 2 || knownSize != nil, let free = solved(on: nil) else { return best }
        let isSizeTold = free.sizeDeviation < 2 * settings.largestSizeDeviation
        return isDecisivelyBetter(free, than: best) && (best == nil || isSizeTold) ? free : best
    }

    /// Whether a fit to that plane is to begin elsewhere than where the rectangle was believed to be.
    private func isFar(_ shape: RectangleShape, from anchor: PlaneAnchor?, seenIn view: RectangleView) -> Bool {
        guard let anchor else { return false }
        let plane = Plane(worldFromPlane: anchor.worldFromAnchor)
        let height = plane.signedDistance(to: shape.worldFromRectangle.translation)
        return abs(height) > 10 * deviation(of: plane, seenIn: view).offset
    }

    /// How uncertain a plane is that a rectangle lies on, by its distance along the ray to the rectangle's middle.
    private func deviation(of plane: Plane, seenIn view: RectangleView) -> PlaneDeviation {
        let height = abs(plane.signedDistance(to: view.worldFromOptical.translation))
        let middle = view.quad.center.flatMap { view.camera.unproject($0) }
        let approach = middle.map { abs((view.worldFromOptical.rotation * $0).dot(plane.normal)) } ?? 1
        // Where a ray all but misses the plane, its distance says nothing any more.
        let distance = height / max(approach, 0.1)
        return PlaneDeviation(offset: settings.planeOffsetShare * distance, tilt: settings.planeTilt)
    }

    /// Whether right angles explain what is seen.
    private func isRectangle(_ outcome: RectangleFit.Outcome, in view: RectangleView) -> Bool {
        guard let error = view.error(of: outcome.shape) else { return false }
        return error <= 1 + 0.01 * view.quad.topLeft.distance(to: view.quad.bottomRight)
    }

    /// Where the fit may begin when nothing is known of the place.
    private func guesses(
        _ view: RectangleView, size: RectangleSize?, on plane: PlaneAnchor?, frame: TrackedFrame
    ) -> [RectangleShape] {
        var guesses: [RectangleShape] = []
        if let plane, let hit = WorldRectangle(view.quad, in: frame, on: plane.worldFromCenter) {
            guesses.append(RectangleShape(worldFromRectangle: hit.worldFromRectangle, size: hit.size))
        }
        if let size {
            let directions = view.quad.corners.compactMap { view.camera.unproject($0) }
            guesses += PlanarPose.candidates(size: size, directions: directions).map {
                RectangleShape(worldFromRectangle: view.worldFromOptical * $0.opticalFromRectangle, size: size)
            }
        }
        if let triangulated = RectangleShape(triangulating: views) { guesses.append(triangulated) }
        return guesses
    }

    /// A view as uncertain as it is beside the newest one and among all others.
    func weighed(_ view: RectangleView, beside newest: RectangleView) -> RectangleView {
        // What is alike in n views is as little known by all as by one: each counts as if its variance were n times that.
        let common = settings.commonCornerDeviation * Double(views.count).squareRoot()
        var weighed = view
        weighed.deviation = hypot(view.deviation, common)
        let age = newest.timestamp.seconds(since: view.timestamp)
        if view.isPoseEstimated, age > 0, let shape = outcome?.shape {
            let pose = settings.poseDeviation * (1 + age).squareRoot() * pixelsPerMetre(view, at: shape)
            weighed.deviation = hypot(weighed.deviation, pose)
        }
        return weighed
    }

    /// The view that tells the least beside the others: from a stand that a newer one was taken close to.
    var mostRedundantView: Int {
        guard let center = outcome?.shape.worldFromRectangle.translation else { return 0 }
        let stands = views.map { Stand(offset: $0.worldFromOptical.translation - center) }
        let gaps = stands.indices.dropLast().map { old in
            stands[(old + 1)...].map { stands[old].difference(from: $0) }.min() ?? 0
        }
        return gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0
    }
}
