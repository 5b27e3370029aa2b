// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARTruth
import Synchronization

/// The truth pictures of the frame that was rendered last: whoever asks for the truth of a frame that has just been
/// rendered need not look at everything again.
///
/// They are the same whether they come from here or are painted anew. Law: `TruthPictureTests.theyAreThoseOfTheRendering`.
final class LastTruthPictures: Sendable {
    private let last = Mutex<(timestamp: Timestamp, kinds: Set<TruthPictureKind>, pictures: TruthPictures)?>(nil)

    /// Keeps the pictures of a frame, and forgets those of the one before.
    func keep(_ pictures: TruthPictures, of kinds: Set<TruthPictureKind>, at timestamp: Timestamp) {
        last.withLock { $0 = (timestamp, kinds, pictures) }
    }

    /// The pictures of the frame with that stamp, if it is the last one and has those kinds.
    func pictures(of kinds: Set<TruthPictureKind>, at timestamp: Timestamp) -> TruthPictures? {
        last.withLock { last in
            guard let last, last.timestamp == timestamp, last.kinds == kinds else { return nil }
            return last.pictures
        }
    }
}
