// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A plane as far as it is known: in axes that gravity makes, and in the world.
///
/// All that points ask of a surface one by one is asked of this part of it, which is copied without counting references.
struct FittedPlane: Sendable {
    /// Axes that gravity makes: +Y is the first estimate of the normal, level or plumb, and x and z span the surface.
    let worldFromLevel: RigidTransform
    let levelFromWorld: RigidTransform
    /// The plane in the level axes.
    var fit: SurfaceFit { didSet { plane = Self.plane(of: fit, in: worldFromLevel) } }
    /// The plane in the world.
    private(set) var plane: Plane

    /// The plane y = 0 of some axes.
    init(in worldFromLevel: RigidTransform) {
        self.worldFromLevel = worldFromLevel
        levelFromWorld = worldFromLevel.inverse
        fit = SurfaceFit(offset: 0, slopes: .zero)
        plane = Self.plane(of: fit, in: worldFromLevel)
    }

    private static func plane(of fit: SurfaceFit, in worldFromLevel: RigidTransform) -> Plane {
        worldFromLevel * Plane(unitNormal: fit.normal, offset: fit.normal.y * fit.offset)
    }

    /// The x and z of a point of the world in the level axes: where it is counted.
    func place(of point: Point3) -> Point2 {
        let local = levelFromWorld * point
        return Point2(local.x, local.z)
    }

    /// The point of the plane at an x and z of the level axes, in these axes.
    func pointInLevel(_ place: Point2) -> Point3 { Point3(place.x, fit.offset + fit.slopes.dot(place), place.y) }

    /// The squared distance of a point that lies on the plane, in variances; `nil` for one that does not, or that is not
    /// known well enough to say.
    func squaredDistance(of point: Evidence, settings: PlaneFinderSettings) -> Double? {
        let distance = plane.signedDistance(to: point.position)
        let deviation = fit.deviation(at: place(of: point.position))
        let common = deviation * deviation + point.sharedVariance(along: plane.normal)
        guard abs(distance) <= settings.thickness + 2 * common.squareRoot() else { return nil }
        let variance = point.ownVariance(along: plane.normal) + SurfaceFit.roughness * SurfaceFit.roughness
        let ratio = distance * distance / (variance + common)
        // At three standard deviations, one true point in 400 is lost; of vague ones those beyond the thickness, too: before a
        // wall and behind it there are more often other things than its own points.
        return variance <= settings.largestDeviation * settings.largestDeviation && ratio <= 9 ? ratio : nil
    }

    /// Where a point lies that is close to the surface.
    enum Side {
        /// Within 1.5 standard deviations, or 12 mm.
        case on
        /// In front or behind, up to three times as far.
        case beside
    }

    /// On which side a point lies; `nil` for one that is far off, or that is not known well enough to say, in its own world or
    /// in today's.
    ///
    /// Of a surface's own points 13 % lie beside it; of things that are spread evenly in depth, twice as many lie beside as
    /// on. Where the plane is hardly known, points can hardly lie beside it.
    ///
    /// - Parameter largestDeviation: the standard deviation in metres of what is known well enough.
    func side(of point: Evidence, largestDeviation: Double) -> Side? {
        let distance = abs(plane.signedDistance(to: point.position))
        guard distance <= 4.5 * largestDeviation,
            point.sharedVariance(along: plane.normal) <= Self.leastDeviation * Self.leastDeviation
        else { return nil }
        let ofPlane = fit.deviation(at: place(of: point.position))
        let variance = point.ownVariance(along: plane.normal) + ofPlane * ofPlane
        let deviation = max(Self.leastDeviation, variance.squareRoot())
        guard deviation <= largestDeviation, distance <= 4.5 * deviation else { return nil }
        return distance <= 1.5 * deviation ? .on : .beside
    }

    /// Deviations count as 8 mm at least, because what errors points share is not in all of their covariances.
    private static let leastDeviation = 0.008
}
