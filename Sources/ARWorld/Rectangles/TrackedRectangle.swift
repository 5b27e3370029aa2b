// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation

/// A rectangular thing that was recognised from picture to picture.
public struct TrackedRectangle: Hashable, Sendable {
    /// Whether pictures show it.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It was seen in this picture, or a moment ago.
        case tracked
        /// It is believed to be where it was seen last.
        case remembered
    }

    /// What the code on it says.
    public struct Code: Hashable, Sendable {
        /// The payload as text.
        public var payload: String
        /// The kind of code.
        public var symbology: CodeSymbology

        /// A code with that payload.
        public init(payload: String, symbology: CodeSymbology) {
            self.payload = payload
            self.symbology = symbology
        }
    }

    /// The same for as long as it is known, and in every run of the same session.
    public let identifier: UUID
    /// Its place, its size and how well they are known, for cameras that were where they are believed to have been. Its
    /// corners are named as the code on it is read, upright; until one is, as the first picture showed them.
    public var rectangle: WorldRectangle
    /// The largest code inside it, once it was read. Edges of a print and of what lies beside it make rectangles around the same code,
    /// too: of all that are around it the one has it that leaves room around it and that pictures showed most often. Law:
    /// `RectangleTrackerTests.aCodeIsOfOneRectangle`.
    public var code: Code?
    /// Whether it is seen.
    public var state: State
    /// When it was seen last.
    public var lastSeen: Timestamp
    /// Where this picture shows it, with its corners named as the rectangle's; `nil` where it was not detected.
    public var quad: PixelQuad?

    /// Where that code is on the rectangle; `nil` until its outline was seen together with the rectangle's.
    public var codeAnchor: CodeAnchor?

    /// The rectangle as an anchor, named by its code's payload.
    public var anchor: RectangleAnchor {
        RectangleAnchor(
            identifier: identifier, name: code?.payload, worldFromAnchor: rectangle.worldFromRectangle,
            size: rectangle.size, isTracked: state == .tracked)
    }
}
