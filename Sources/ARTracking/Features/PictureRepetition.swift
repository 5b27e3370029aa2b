// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Tells pictures that come again from new ones: of a camera that has stopped while its stamps go on, or of a video that was brought to
/// a higher rate.
///
/// The noise of a camera makes no two pictures equal, but where there is none, as in a video of a tripod, they may be. So an equal
/// picture is an old one for a tenth of a second; then only if the device has turned since it came first.
///
/// Law: `PictureRepetitionTests`.
struct PictureRepetition: Sendable {
    private var newest: (image: ImageBuffer, timestamp: Timestamp)?
    private var hasStopped = false

    /// For so long a picture that is equal is an old one, whatever the device does.
    private static let leastSeconds = 0.1

    /// When the picture of a frame came first; `nil` where that is now.
    mutating func beginning(ofPictureOf frame: CameraFrame) -> Timestamp? {
        if let newest, newest.image == frame.image { return newest.timestamp }
        newest = (frame.image, frame.timestamp)
        hasStopped = false
        return nil
    }

    /// Whether the picture of a frame, which came before, is an old one, when the device has turned since it came first, or has not.
    mutating func isOld(at timestamp: Timestamp, whenTurned hasTurned: Bool) -> Bool {
        guard let newest else { return false }
        hasStopped = hasStopped || hasTurned
        return hasStopped || timestamp.seconds(since: newest.timestamp) <= Self.leastSeconds
    }
}
