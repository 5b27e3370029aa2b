// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A projected point and how it moves: with the point, and with each of the model's parameters.
public struct CameraProjection: Hashable, Sendable {
    /// The pixel.
    public var pixel: PixelPoint
    /// ∂pixel/∂point, 2×3.
    public var pixelByPoint: PixelByPoint
    /// ∂pixel/∂parameter, 2×n: one entry per parameter, in the order fx, fy, cx, cy, then the distortion's.
    public var pixelByParameters: PixelByParameters

    /// A projection with its derivatives.
    @inlinable public init(pixel: PixelPoint, pixelByPoint: PixelByPoint, pixelByParameters: PixelByParameters) {
        self.pixel = pixel
        self.pixelByPoint = pixelByPoint
        self.pixelByParameters = pixelByParameters
    }
}

/// ∂pixel/∂point, a 2×3 matrix stored by columns: one for each coordinate of the point in the optical frame.
public struct PixelByPoint: Hashable, Sendable {
    /// How the pixel moves with the point's x.
    public var x: Vector2
    /// How the pixel moves with the point's y.
    public var y: Vector2
    /// How the pixel moves with the point's z.
    public var z: Vector2

    /// The matrix with these columns.
    @inlinable public init(x: Vector2, y: Vector2, z: Vector2) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// How the pixel moves when the point moves by `displacement`.
    @inlinable public static func * (jacobian: PixelByPoint, displacement: Vector3) -> Vector2 {
        jacobian.x * displacement.x + jacobian.y * displacement.y + jacobian.z * displacement.z
    }

    /// The chain rule: ∂pixel/∂q from ∂pixel/∂point and ∂point/∂q.
    @inlinable public static func * (jacobian: PixelByPoint, pointByOther: Matrix3x3) -> PixelByPoint {
        PixelByPoint(
            x: jacobian * pointByOther.columns.0, y: jacobian * pointByOther.columns.1,
            z: jacobian * pointByOther.columns.2)
    }
}

/// ∂pixel/∂parameter for each parameter of a camera model, in the order fx, fy, cx, cy, then the distortion's.
///
/// A collection without storage on the heap, for up to eight parameters of distortion.
public struct PixelByParameters: Hashable, Sendable {
    // The pixel is f · distorted + c.
    @usableFromInline let distorted: Vector2
    // Zero beyond the model's last parameter.
    @usableFromInline let columnByDistortion: SIMD8<Double>
    @usableFromInline let rowByDistortion: SIMD8<Double>
    @usableFromInline let distortionCount: Int

    /// The derivatives of the pixel `f · distorted + c`.
    /// - Parameters:
    ///   - distorted: the point at depth one after distortion.
    ///   - columnByDistortion: the derivatives of the pixel's x by the distortion's parameters.
    ///   - rowByDistortion: the derivatives of the pixel's y by the distortion's parameters.
    ///   - distortionCount: how many parameters the distortion has.
    @inlinable public init(
        distorted: Vector2, columnByDistortion: SIMD8<Double> = .zero, rowByDistortion: SIMD8<Double> = .zero,
        distortionCount: Int = 0
    ) {
        self.distorted = distorted
        self.columnByDistortion = columnByDistortion
        self.rowByDistortion = rowByDistortion
        self.distortionCount = distortionCount
    }
}

extension PixelByParameters: RandomAccessCollection {
    @inlinable public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { 4 + distortionCount }

    /// ∂pixel/∂parameter for the parameter with that index.
    @inlinable public subscript(index: Int) -> Vector2 {
        precondition(indices.contains(index), "the camera has parameters 0..<\(endIndex), not \(index)")
        return switch index {
        case 0: Vector2(distorted.x, 0)
        case 1: Vector2(0, distorted.y)
        case 2: Vector2(1, 0)
        case 3: Vector2(0, 1)
        default: Vector2(columnByDistortion[index - 4], rowByDistortion[index - 4])
        }
    }
}
