// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A face that is followed.
public struct TrackedFace: Hashable, Sendable {
    /// The same as long as the face is followed, and never given again once it is forgotten: AVFoundation's `faceID`. Of faces
    /// that hide near one another and look alike, one can be taken for the other.
    public var id: Int
    /// The face. While it is not seen, where it is supposed to be.
    public var face: DetectedFace
    /// Whether the picture shows it. What hides for a moment is held.
    public var isSeen: Bool

    /// A face with these values.
    public init(id: Int, face: DetectedFace, isSeen: Bool) {
        self.id = id
        self.face = face
        self.isSeen = isSeen
    }
}

/// Follows faces through a sequence of pictures: stable numbers, and continuous roll, yaw and pitch.
///
/// Each picture is searched in part: for one range of sizes, by one cascade; a cycle of eight pictures searches all. Faces
/// that are found become heads: points on an ellipsoid are followed from picture to picture, and the pose under which they
/// are seen where they are is the head's. Every few pictures a face is read again, which takes away what errors have added
/// up. A head that is hidden keeps its number and moves on, ever slower; it is found again by its place and by its look.
///
/// Of the pitch changes are measured, not where it began: a head is taken to be level when it is found, and slowly returns to
/// that. In the first picture, and in the one that shows it again, it is not measured (``DetectedFace/hasPitch``).
///
/// The same pictures give the same faces, bit for bit.
public struct FaceTracker: Sendable {
    /// How faces are followed.
    public struct Configuration: Hashable, Sendable {
        /// The least side of a face that is looked for, in pixels; at least 20.
        public var minimumSide = 30.0
        /// Faces in which less confidence is put are not taken up, 0 … 1.
        public var minimumConfidence = 0.5
        /// How long a face is reported that is not seen, in seconds.
        public var holdSeconds = 1.5
        /// How long a face is remembered that is not seen, so that it gets its number again, in seconds.
        public var memorySeconds = 4.0

        /// The defaults.
        public init() {}
    }

    /// How faces are followed.
    public let configuration: Configuration
    private let reader: FaceReader
    private var known: [KnownFace] = []
    private var nextID = 1
    private var pictureCount = 0
    private var previous: ImagePyramid?
    private var previousTime: Timestamp?
    private var orientation = InterfaceOrientation.landscapeRight

    /// A tracker that uses those models. A network, where there is one, is not asked: the cascades are enough to take up
    /// faces that move.
    public init(_ models: FaceModels, configuration: Configuration = Configuration()) {
        precondition(
            configuration.minimumSide >= 20, "faces have at least 20 pixels a side, not \(configuration.minimumSide)")
        self.configuration = configuration
        reader = FaceReader(models: models)
    }

    /// A face and what is known of its past.
    private struct KnownFace: Sendable {
        /// `nil` until it was seen twice.
        var id: Int?
        var head: HeadTrack
        var confidence: Double
        var isSeen = true
        /// When it was seen last, and when a reading last saw its face.
        var seenAt: Timestamp
        var confirmedAt: Timestamp
        /// When it was read last, in pictures.
        var readAt: Int
        /// Whether the last reading found nothing.
        var isDoubted = false

        /// How sure it is, ever less while readings find nothing.
        func confidence(at timestamp: Timestamp) -> Double {
            guard isDoubted || !isSeen else { return confidence }
            return confidence * exp(-FaceTracker.seconds(from: confirmedAt, to: timestamp) / Self.doubtingTime)
        }
        /// The seconds without a reading in which the confidence sinks to 1/e.
        private static let doubtingTime = 4.0
    }

    /// The faces of the next picture, in the order of their numbers; none in pictures with a side below 32 or above 16,384
    /// pixels.
    ///
    /// - Parameters:
    ///   - timestamp: when it was taken, later than the one before.
    ///   - orientation: which way it is turned for the interface before faces are upright.
    public mutating func next(
        _ image: ImageBuffer, at timestamp: Timestamp, turnedFor orientation: InterfaceOrientation = .landscapeRight
    ) -> [TrackedFace] {
        guard image.size.shorterSide >= 32, image.size.canBeSearched else { return [] }
        let gray = image.gray.turned(for: orientation)
        if orientation != self.orientation || previous?.size != gray.size { forgetPictures(orientation) }
        var pyramid = ImagePyramid(size: gray.size, levelCount: 5)
        pyramid.fill(with: gray)

        follow(to: pyramid, image: gray, at: timestamp)
        hideCovered()
        lookAgain(in: gray, pyramid: pyramid, at: timestamp)
        search(gray, pyramid: pyramid, at: timestamp)
        forget(at: timestamp)

        previous = pyramid
        previousTime = timestamp
        pictureCount += 1
        return known.compactMap { face in
            guard let id = face.id,
                face.isSeen || Self.seconds(from: face.seenAt, to: timestamp) <= configuration.holdSeconds
            else { return nil }
            let pose = face.head.pose.recorded(from: orientation, imageSize: image.size)
            return TrackedFace(
                id: id,
                face: DetectedFace(pose, confidence: face.confidence(at: timestamp), hasPitch: face.head.hasPitch),
                isSeen: face.isSeen)
        }.sorted { $0.id < $1.id }
    }

    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        Double(end.nanoseconds - start.nanoseconds) * 1e-9
    }

    /// Begins anew with pictures that are turned otherwise; numbers go on.
    private mutating func forgetPictures(_ orientation: InterfaceOrientation) {
        self.orientation = orientation
        previous = nil
        previousTime = nil
        known = []
    }

    private mutating func follow(to pyramid: ImagePyramid, image: ImageBuffer, at timestamp: Timestamp) {
        guard let previous, let previousTime else { return }
        let seconds = Self.seconds(from: previousTime, to: timestamp)
        for index in known.indices {
            if known[index].isSeen {
                known[index].isSeen = known[index].head.follow(from: previous, to: pyramid, image: image)
            }
            if known[index].isSeen {
                known[index].seenAt = timestamp
            } else {
                known[index].head.coast(for: seconds)
            }
        }
    }

    /// Of two heads in the same place the one that looks less like itself is hidden by the other.
    private mutating func hideCovered() {
        for first in known.indices {
            for second in known.indices where second > first && known[first].isSeen && known[second].isSeen {
                let (a, b) = (known[first].head, known[second].head)
                guard (a.pose.center - b.pose.center).length < 0.4 * min(a.pose.side, b.pose.side) else { continue }
                known[a.likeness < b.likeness ? first : second].isSeen = false
            }
        }
    }

    /// Reads one face again: the one that was not read for longest. Hidden ones are looked for around where they were.
    private mutating func lookAgain(in image: ImageBuffer, pyramid: ImagePyramid, at timestamp: Timestamp) {
        let pause = 2
        guard pictureCount % pause == 0,
            let index = known.indices.filter({ pictureCount - known[$0].readAt >= Self.readingInterval })
                .min(by: { (known[$0].readAt, $0) < (known[$1].readAt, $1) })
        else { return }
        known[index].readAt = pictureCount
        if known[index].isSeen {
            readAgain(index, in: image, pyramid: pyramid, at: timestamp)
        } else {
            seek(index, in: image, pyramid: pyramid, at: timestamp)
        }
    }
    /// How many pictures apart readings of a face are at least.
    private static let readingInterval = 4

    private mutating func readAgain(
        _ index: Int, in image: ImageBuffer, pyramid: ImagePyramid, at timestamp: Timestamp
    ) {
        let pose = known[index].head.pose
        guard let reading = reader.read(pose, in: image), reading.pose.isNear(pose, distance: 0.5, sizes: 0.35),
            reading.evidence > -1.2
        else {
            known[index].isDoubted = true
            return
        }
        known[index].isDoubted = false
        known[index].confirmedAt = timestamp
        known[index].head.correct(with: reading, in: image, pyramid: pyramid)
        known[index].confidence +=
            0.3 * (reading.confidence(windowCount: FaceReading.usualWindowCount) - known[index].confidence)
        if known[index].id == nil,
            reading.confidence(windowCount: FaceReading.usualWindowCount) >= configuration.minimumConfidence
        {
            giveNumber(to: index)
        }
    }

    private mutating func giveNumber(to index: Int) {
        known[index].id = nextID
        nextID += 1
    }

    /// Looks for a hidden face around where it should be.
    private mutating func seek(_ index: Int, in image: ImageBuffer, pyramid: ImagePyramid, at timestamp: Timestamp) {
        let pose = known[index].head.pose
        let reach = 1.6 * pose.side
        guard let window = Self.window(around: pose.center, reach: reach, in: image.size) else { return }
        let crop = image.cropped(left: window.left, top: window.top, size: window.size)
        let least = max(20, 0.75 * pose.side)
        let scan = FaceScan(model: .trees, roll: 0, sides: least...(1.35 * max(pose.side, 20)))
        let offset = Vector2(Double(window.left), Double(window.top))
        let candidates = scan.windows(in: crop, models: reader.models).map {
            HeadPose(center: $0.center + offset, side: $0.side, cameraFromHead: $0.cameraFromHead)
        }.grouped()
        takeUp(candidates, in: image, pyramid: pyramid, at: timestamp)
    }

    private static func window(
        around center: Vector2, reach: Double, in size: ImageSize
    ) -> (left: Int, top: Int, size: ImageSize)? {
        let left = max(0, Int(center.x - reach))
        let top = max(0, Int(center.y - reach))
        let right = min(size.width, Int(center.x + reach))
        let bottom = min(size.height, Int(center.y + reach))
        guard right - left >= 32, bottom - top >= 32 else { return nil }
        return (left, top, ImageSize(width: right - left, height: bottom - top))
    }

    // MARK: - New faces

    /// A part of the whole search: sizes as multiples of the least side, the model, and the roll.
    private static let searches: [(sides: ClosedRange<Double>, model: FaceScan.Model, roll: Double)] = [
        (1...1.35, .patterns, 0), (1.3...2.6, .trees, 0), (2.5...100, .trees, 0), (1.3...100, .patterns, 0.45),
        (1...1.35, .patterns, 0), (1.3...2.6, .patterns, 0), (2.5...100, .trees, 0), (1.3...100, .patterns, -0.45),
    ]

    /// Searches the picture in part.
    private mutating func search(_ image: ImageBuffer, pyramid: ImagePyramid, at timestamp: Timestamp) {
        let part = Self.searches[pictureCount % Self.searches.count]
        let longest = Double(min(image.size.width, image.size.height))
        let least = part.sides.lowerBound * configuration.minimumSide
        guard least < longest else { return }
        let scan = FaceScan(
            model: part.model, roll: part.roll,
            sides: least...min(longest, part.sides.upperBound * configuration.minimumSide))
        takeUp(
            scan.windows(in: image, models: reader.models).grouped(), in: image, pyramid: pyramid, at: timestamp)
    }

    /// Reads the best candidates that are not followed yet: hidden faces are found again, new ones are taken up.
    private mutating func takeUp(
        _ candidates: [FaceCandidate], in image: ImageBuffer, pyramid: ImagePyramid, at timestamp: Timestamp
    ) {
        let readLimit = 2
        var readCount = 0
        for candidate in candidates where candidate.windowCount >= 2 && readCount < readLimit {
            guard !isFollowed(candidate.pose) else { continue }
            readCount += 1
            guard let reading = reader.read(candidate.pose, in: image), !isFollowed(reading.pose) else { continue }
            let confidence = reading.confidence(windowCount: 3 * candidate.windowCount)
            guard confidence >= configuration.minimumConfidence else { continue }
            if let hidden = hiddenFace(like: reading, in: image, at: timestamp) {
                known[hidden].head.resume(at: reading, in: image, pyramid: pyramid)
                known[hidden].isSeen = true
                known[hidden].seenAt = timestamp
                known[hidden].confirmedAt = timestamp
                known[hidden].readAt = pictureCount
                known[hidden].isDoubted = false
            } else if let head = HeadTrack(reading, in: image, pyramid: pyramid) {
                known.append(
                    KnownFace(
                        head: head, confidence: confidence, seenAt: timestamp, confirmedAt: timestamp,
                        readAt: pictureCount - 2))
                if confidence > Self.sureConfidence { giveNumber(to: known.count - 1) }
            }
        }
    }
    /// The confidence from which on a face need not be seen twice.
    private static let sureConfidence = 0.9

    private func isFollowed(_ pose: HeadPose) -> Bool {
        known.contains { face in
            face.isSeen && (face.head.pose.center - pose.center).length < 0.5 * max(face.head.pose.side, pose.side)
        }
    }

    /// The hidden face that a reading shows again: near enough for the time that it was hidden, and most like it; `nil` where
    /// none is alike enough, which is asked more of the longer it was hidden, or where two are almost equally so.
    private func hiddenFace(like reading: FaceReading, in image: ImageBuffer, at timestamp: Timestamp) -> Int? {
        guard let look = FaceAppearance(of: reading.pose, in: image) else { return nil }
        let matches = known.indices.filter { !known[$0].isSeen }.compactMap {
            index -> (index: Int, likeness: Double)? in
            let face = known[index]
            let side = max(face.head.pose.side, reading.pose.side)
            let hiddenSeconds = Self.seconds(from: face.seenAt, to: timestamp)
            let reach = (0.8 + 1.2 * hiddenSeconds) * side
            let leastLikeness = min(0.3 + 0.1 * hiddenSeconds, 0.6)
            let distance = (face.head.pose.center - reading.pose.center).length
            let likeness = look.correlation(with: face.head.appearance)
            guard distance < reach, abs(log(face.head.pose.side / reading.pose.side)) < 0.5, likeness > leastLikeness
            else { return nil }
            return (index, likeness - 0.2 * distance / reach)
        }.sorted { ($1.likeness, $0.index) < ($0.likeness, $1.index) }
        guard let best = matches.first else { return nil }
        let isClear = matches.count == 1 || best.likeness - matches[1].likeness > Self.leastMargin
        return isClear ? best.index : nil
    }
    /// By how much a hidden face must be more alike than the next one, to be taken for what is found.
    private static let leastMargin = 0.05

    private mutating func forget(at timestamp: Timestamp) {
        known.removeAll { face in
            // One that was never confirmed was no face; one that turned away may be one still.
            let isUnconfirmed = face.id == nil && (!face.isSeen || face.isDoubted)
            let isGone = Self.seconds(from: face.seenAt, to: timestamp) > configuration.memorySeconds
            let isUnread = face.isDoubted && Self.seconds(from: face.confirmedAt, to: timestamp) > Self.unreadSeconds
            return isUnconfirmed || isGone || isUnread
        }
    }
    /// How long a face is followed that no reading sees: as long as one may look aside.
    private static let unreadSeconds = 8.0
}
