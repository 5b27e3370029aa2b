// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The gesture that lifts a drawing off its plane: a finger that moves up on the screen.
///
/// The height is `metresPerScreen` times the part of the screen's height that the finger has risen since it touched.
public struct HeightGesture: Hashable, Sendable {
    /// The height that a finger gives that moves up the whole screen, in metres.
    public var metresPerScreen: Double

    /// A gesture that gives so many metres for the whole screen.
    public init(metresPerScreen: Double = 0.4) { self.metresPerScreen = metresPerScreen }

    /// The height in metres, or `nil` where the finger is not above the place where it touched: then the height stays.
    ///
    /// - Parameters:
    ///   - touchY: where the finger touched, in points from the view's top.
    ///   - currentY: where it is.
    ///   - viewHeight: the view's height in points, above zero.
    public func height(touchY: Double, currentY: Double, viewHeight: Double) -> Double? {
        precondition(viewHeight > 0, "a view is higher than \(viewHeight) points")
        let height = metresPerScreen * (touchY - currentY) / viewHeight
        return height > 0 ? height : nil
    }
}
