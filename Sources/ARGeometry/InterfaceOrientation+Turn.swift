// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// What the interface's orientation does to the picture and to the camera's axes. The two must turn together.
// Law: `ProjectionMatrixTests.matricesAgreeWithPictures`.

extension InterfaceOrientation {
    /// The picture as the app shows it from the picture as the sensor recorded it, both as fractions of their size from
    /// the upper-left corner.
    public var turnedFromRecorded: AffineTransform2D {
        switch self {
        case .landscapeRight: .identity
        case .landscapeLeft: AffineTransform2D(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
        case .portrait: AffineTransform2D(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
        case .portraitUpsideDown: AffineTransform2D(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
        }
    }

    /// The picture as the sensor recorded it from the picture as the app shows it.
    public var recordedFromTurned: AffineTransform2D {
        switch self {
        case .landscapeRight, .landscapeLeft: turnedFromRecorded
        case .portrait: InterfaceOrientation.portraitUpsideDown.turnedFromRecorded
        case .portraitUpsideDown: InterfaceOrientation.portrait.turnedFromRecorded
        }
    }

    /// The view's axes (+X right and +Y up on the screen, +Z towards the user) from the camera's, which stay with the
    /// sensor: a turn about Z.
    public var viewFromCamera: RigidTransform {
        let half = 0.5.squareRoot()
        return switch self {
        case .landscapeRight: .identity
        case .landscapeLeft: RigidTransform(rotation: Rotation(unitCoefficients: Vector4(0, 0, 1, 0)))
        case .portrait: RigidTransform(rotation: Rotation(unitCoefficients: Vector4(0, 0, -half, half)))
        case .portraitUpsideDown: RigidTransform(rotation: Rotation(unitCoefficients: Vector4(0, 0, half, half)))
        }
    }
}

extension ImageSize {
    /// The size of the picture after it was turned for the interface.
    public func turned(for orientation: InterfaceOrientation) -> ImageSize {
        switch orientation {
        case .landscapeLeft, .landscapeRight: self
        case .portrait, .portraitUpsideDown: ImageSize(width: height, height: width)
        }
    }
}

extension NormalizedImagePoint {
    /// The position in the recorded picture of what Vision found in the picture that was turned for the interface, as
    /// when it is given the picture's orientation: `.right` in portrait, `.up` in landscapeRight.
    public init(_ point: VisionPoint, turnedFor orientation: InterfaceOrientation) {
        let recorded = orientation.recordedFromTurned * Point2(point.x, 1 - point.y)
        self.init(recorded.x, recorded.y)
    }
}

extension VisionPoint {
    /// The position in the picture that was turned for the interface.
    ///
    /// Law: `ViewportTests.visionInTheTurnedPicture`.
    public init(_ point: NormalizedImagePoint, turnedFor orientation: InterfaceOrientation) {
        let turned = orientation.turnedFromRecorded * Point2(point.x, point.y)
        self.init(turned.x, 1 - turned.y)
    }
}
