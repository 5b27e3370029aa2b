// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import CVision

/// Follows points of the scene through the pictures of one camera.
///
/// Each point keeps the patch of the picture in which it was first seen, and is found again by it in every frame, so
/// that its errors do not add up; the patch is renewed only where the point has come to look too different. On the way
/// there it is led by the last frame: from the gyroscope's prediction over a pyramid's levels to within a pixel
/// (Lucas-Kanade's flow, inverse compositional, with gain and offset of the light). What does not lead back to where it
/// came from is lost, as is what moves otherwise than the camera; empty cells of the picture get new points.
///
/// A quick turn smears the picture over more than a patch is wide. Where few points are left, others are followed by
/// patches of the pyramid's coarser levels, which show what the smear leaves: larger things, less exactly.
///
/// The same frames give the same points, bit for bit: `FeatureTrackerTests.sameFramesGiveTheSamePoints`.
public struct FeatureTracker: Sendable {
    /// The camera.
    public let camera: Camera
    /// The size of its pictures.
    public let imageSize: ImageSize
    /// How the tracker works.
    public let configuration: Configuration
    /// What is being followed now, by growing number.
    public internal(set) var points: [FeaturePoint] = []
    /// How many frames were tracked.
    public private(set) var frameCount = 0

    private(set) var pyramid: ImagePyramid
    private(set) var previousPyramid: ImagePyramid
    var patches: PatchStore
    /// The warp of each point's patch into the newest frame, in the order of ``points``.
    var warps: [CVisionWarp] = []
    /// From where each patch was taken.
    var origins: [PatchOrigin] = []
    /// The turn of the camera since the first frame, but for turns that were not known: patches from before
    /// such a one know no turn.
    private(set) var opticalFromFirstOptical = Rotation.identity
    /// Points that were lost and may come back.
    var lost = LostPoints()
    let grid: FeatureGrid
    var nextID: UInt64 = 0
    var random: SeededRandom

    /// How far points keep from the picture's edge, in pixels: beyond it their patches would reach over it.
    static let margin = 10

    /// How many pixels of the picture a pixel of a level is wide.
    static func pixels(ofLevel level: Int) -> Double { Double(1 << level) }

    /// A tracker for a camera's pictures. Pictures of any size can be tracked; in tiny ones nothing is found.
    public init(camera: Camera, imageSize: ImageSize, configuration: Configuration = .init()) {
        precondition(configuration.pointCount >= 0, "\(configuration.pointCount) points cannot be followed")
        self.camera = camera
        self.imageSize = imageSize
        self.configuration = configuration
        pyramid = ImagePyramid(size: imageSize, levelCount: configuration.pyramidLevelCount)
        previousPyramid = pyramid
        patches = PatchStore()
        random = SeededRandom(seed: configuration.seed, purpose: "feature outliers")
        grid = FeatureGrid(size: imageSize, cellCount: configuration.pointCount, margin: Self.margin)
    }

    /// Follows the points into the next picture, which has the size of the tracker, and looks for new ones.
    ///
    /// - motion: what is known of the camera's motion since the last picture; without, points are looked for where they
    ///   were, which suffices for some 30 pixels a frame. Points that were lost are looked for where it expects them.
    public mutating func track(_ image: ImageBuffer, motion: PredictedMotion? = nil) -> FeatureFrame {
        swap(&pyramid, &previousPyramid)
        pyramid.fill(with: image)
        turn(motion)
        var counts = FeatureFrame.Counts()
        if frameCount > 0 { followPoints(motion, &counts) }
        if let motion { findLostPoints(motion.returns, &counts) }
        // What the first picture holds nobody knows until the next one.
        findNewPoints(areScarce: frameCount > 0 && certainCount < configuration.scarceCount, &counts)
        frameCount += 1
        return FeatureFrame(
            number: frameCount - 1, observations: points, quality: PictureQuality(pyramid.measures), counts: counts)
    }

    /// Keeps count of the camera's turn. Where it is not known, or nonsense, no patch knows how the camera has turned since.
    private mutating func turn(_ motion: PredictedMotion?) {
        let turned = motion.map { ($0.opticalFromPreviousOptical * opticalFromFirstOptical).normalized }
        if let turned, turned.rotationVector.squaredLength < .infinity {
            opticalFromFirstOptical = turned
        } else {
            for index in origins.indices { origins[index].forgetTurn() }
            lost.forgetTurns()
        }
    }

    /// The origin of a patch that is taken from the newest frame.
    func origin(_ pixel: PixelPoint, onLevel level: Int) -> PatchOrigin {
        PatchOrigin(pixel, onLevel: level, camera: camera, opticalFromFirstOptical: opticalFromFirstOptical)
    }

    /// Points whose patches are kept when they are lost, to be found again where ``PredictedMotion/returns`` expects them; what was
    /// kept of others is forgotten.
    public var lastingPoints: Set<FeatureID> = [] {
        didSet { lost.keep { lastingPoints.contains($0) } }
    }

    /// Gives points up, for example those that an estimator found to be wrong.
    public mutating func remove(_ ids: Set<FeatureID>) {
        keep(points.map { !ids.contains($0.id) })
    }

    /// Drops the points for which the answer is false.
    mutating func keep(_ isKept: [Bool]) {
        for index in points.indices where !isKept[index] && lastingPoints.contains(points[index].id) {
            lost.add(points[index], warps[index], origins[index], index, of: patches)
        }
        patches.keep(isKept)
        func kept<Value>(_ values: [Value]) -> [Value] { zip(values, isKept).filter(\.1).map(\.0) }
        points = kept(points)
        warps = kept(warps)
        origins = kept(origins)
    }
}
