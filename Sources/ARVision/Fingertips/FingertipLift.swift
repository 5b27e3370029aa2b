// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How likely a fingertip has left the plane that it draws on, by how wide it looks.
///
/// A finger that rises towards the camera looks wider. With r for its radius if it lay on the plane, H for the camera's height
/// above the plane and h for the finger's,
///
///     ln r = b + h / H + noise.
///
/// Its own radius b is not known, and drifts: a finger that turns, bends or comes into other light looks otherwise, slowly and by
/// as much as a lift does. A lift is quick. So there are two readings: the finger lies (h = 0, b walks at random), or it is lifted
/// (h comes and goes within a fraction of a second); each has its filter, and after each picture the two are mixed.
///
/// What it is worth is said in the guide to fingertips: it is right more often than not, and no more than that. Laws:
/// `FingertipLiftTests`.
/// - Reference: Blom, Bar-Shalom 1988, "The interacting multiple model algorithm for systems with Markovian switching
///   coefficients", steps 1 to 4.
public struct FingertipLift: Sendable {
    /// 0 … 1: how likely the finger is lifted.
    public private(set) var probability = Self.initialProbability
    /// Whether the finger counts as lifted: from a probability of 0.5 on, until it is less than 0.3.
    public private(set) var isLifted = false

    private var lying: Reading?
    private var lifted: Reading?

    /// A finger that was not seen yet, and is taken to lie on the plane.
    public init() {}

    /// Takes what the next picture shows: the radius in metres that the finger had if it lay on the plane, how high the camera is
    /// above the plane, in metres, and the seconds since the last picture that showed the finger. Values that are not positive
    /// and finite are not taken.
    public mutating func update(radiusOnPlane radius: Double, cameraHeight height: Double, after seconds: Double) {
        guard [radius, height, seconds].allSatisfy({ $0 > 0 && $0.isFinite }) else { return }
        let seen = log(radius)
        guard let lying, let lifted else {
            self.lying = Reading(bias: seen, height: 0, heightVariance: 0)
            self.lifted = Reading(bias: seen, height: Self.usualHeight, heightVariance: Self.heightVariance)
            return
        }
        // From lying to lifted, and back.
        let (rises, falls) = (1 - exp(-seconds * Self.risesPerSecond), 1 - exp(-seconds * Self.fallsPerSecond))
        let (toLying, toLifted) = (
            lying.mixed(with: lifted, weights: ((1 - probability) * (1 - rises), probability * falls)),
            lying.mixed(with: lifted, weights: ((1 - probability) * rises, probability * (1 - falls)))
        )
        var (onPlane, above) = (toLying.reading, toLifted.reading)
        onPlane.lie(seconds)
        above.rise(seconds)
        let likelihoods = (
            onPlane.update(with: seen, slope: 1 / height), above.update(with: seen, slope: 1 / height)
        )
        let (no, yes) = (toLying.weight * likelihoods.0, toLifted.weight * likelihoods.1)
        (self.lying, self.lifted) = (onPlane, above)
        probability = yes / (no + yes)
        isLifted = probability >= (isLifted ? Self.staysLifted : Self.isLikely)
    }

    /// Nothing is known of a finger that is seen for the first time.
    private static let initialProbability = 0.5
    private static let isLikely = 0.5
    private static let staysLifted = 0.3
    /// A stroke takes a second and a half, a lift a third of a second.
    private static let risesPerSecond = 0.6
    private static let fallsPerSecond = 3.2
    /// How high a lifted finger is in the mean of all its pictures, in metres, and the variance of that.
    fileprivate static let usualHeight = 0.01
    fileprivate static let heightVariance = 0.012 * 0.012
    /// For how long it stays at a height, in seconds.
    fileprivate static let heightSeconds = 0.05
    /// The variance, in a second, of the walk of the radius' logarithm.
    fileprivate static let biasWalk = 0.001
    /// The standard deviation of a picture's radius, as a part of it: it is smoothed already.
    fileprivate static let noise = 0.004
    /// The part of the pictures that err by ten times as much.
    fileprivate static let outliers = 0.02
}

/// One reading of a finger: the logarithm of its radius (b) and its height (h), with their covariance.
private struct Reading {
    var bias: Double
    var height: Double
    private var variance: (bias: Double, both: Double, height: Double)

    /// A finger that was seen for the first time.
    init(bias: Double, height: Double, heightVariance: Double) {
        (self.bias, self.height) = (bias, height)
        variance = (0.3 * 0.3, 0, heightVariance)
    }

    /// This reading and another as one with the same mean and covariance, and the sum of both weights.
    func mixed(with other: Reading, weights: (Double, Double)) -> (reading: Reading, weight: Double) {
        let weight = weights.0 + weights.1
        let (own, others) = (weights.0 / weight, weights.1 / weight)
        let (b, h) = (other.bias - bias, other.height - height)
        var mixed = self
        mixed.bias += others * b
        mixed.height += others * h
        // The variance within, and that between the two.
        mixed.variance = (
            own * variance.bias + others * other.variance.bias + own * others * b * b,
            own * variance.both + others * other.variance.both + own * others * b * h,
            own * variance.height + others * other.variance.height + own * others * h * h
        )
        return (mixed, weight)
    }

    /// Some seconds on the plane.
    mutating func lie(_ seconds: Double) {
        height = 0
        variance = (variance.bias + FingertipLift.biasWalk * seconds, 0, 0)
    }

    /// Some seconds above it: the height comes back to its usual one, and varies about it as much as ever.
    mutating func rise(_ seconds: Double) {
        let kept = exp(-seconds / FingertipLift.heightSeconds)
        height = FingertipLift.usualHeight + kept * (height - FingertipLift.usualHeight)
        variance = (
            variance.bias + FingertipLift.biasWalk * seconds, kept * variance.both,
            kept * kept * variance.height + (1 - kept * kept) * FingertipLift.heightVariance
        )
    }

    /// Takes b + slope · h as it was seen; returns how likely that was, but for a factor that all readings share.
    mutating func update(with seen: Double, slope: Double) -> Double {
        let (biasShare, heightShare) = (
            variance.bias + slope * variance.both, variance.both + slope * variance.height
        )
        let total = biasShare + slope * heightShare + FingertipLift.noise * FingertipLift.noise
        let innovation = seen - bias - slope * height
        bias += biasShare / total * innovation
        height += heightShare / total * innovation
        variance = (
            variance.bias - biasShare * biasShare / total, variance.both - biasShare * heightShare / total,
            variance.height - heightShare * heightShare / total
        )
        let usual = exp(-0.5 * innovation * innovation / total) / total.squareRoot()
        return (1 - FingertipLift.outliers) * usual + FingertipLift.outliers / (10 * FingertipLift.noise)
    }
}
