// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Room for what the centre of each pixel sees, while a frame is rendered: threads write different rows.
///
/// The room belongs to whoever made the canvas, such as ``TruthPainter``, and is there until the call ends to which the
/// canvas was given: nobody keeps a canvas.
struct TruthCanvas: @unchecked Sendable {
    /// Row after row, the depth along the optical axis, in metres, zero where there is nothing; `nil` where it is not wanted.
    let meters: UnsafeMutablePointer<Float>?
    /// Row after row, the id of the surface, zero where there is none; `nil` where it is not wanted.
    let ids: UnsafeMutablePointer<UInt16>?
    /// The ids of the surfaces, by object number.
    let idsByObject: [UInt16]
}
