// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a picture of the truth tells of each pixel.
public enum TruthPictureKind: String, Hashable, Sendable, CaseIterable {
    /// How far away what it sees is.
    case depth
    /// Which thing it sees.
    case objects
}

/// What the centre of each pixel of a frame sees: each row at its own instant, in the middle of its exposure.
///
/// Neither motion blur nor what lies between two pixels' centres is in them.
public struct TruthPictures: Hashable, Sendable {
    /// The depths, where they were asked for.
    public var depth: DepthPicture?
    /// The things, where they were asked for.
    public var objects: ObjectPicture?

    /// Pictures of these kinds.
    public init(depth: DepthPicture? = nil, objects: ObjectPicture? = nil) {
        self.depth = depth
        self.objects = objects
    }
}

/// How far away each pixel's thing is.
public struct DepthPicture: Hashable, Sendable {
    /// Columns and rows.
    public let size: ImageSize
    /// Row after row, the coordinate of what the pixel sees along the optical axis, not the length of the ray, in metres;
    /// zero where the pixel sees nothing, or its depth is not known.
    public var meters: [Float]

    /// A picture of depths; their count must match the size.
    public init(size: ImageSize, meters: [Float]) {
        precondition(
            meters.count == size.width * size.height,
            "a picture of \(size) has \(size.width * size.height) depths, not \(meters.count)")
        self.size = size
        self.meters = meters
    }
}

/// Which thing each pixel sees.
public struct ObjectPicture: Hashable, Sendable {
    /// Columns and rows.
    public let size: ImageSize
    /// Row after row, the thing's ``TruthObject/id``; zero where the pixel sees nothing.
    public var ids: [UInt16]

    /// A picture of things; their count must match the size.
    public init(size: ImageSize, ids: [UInt16]) {
        precondition(
            ids.count == size.width * size.height,
            "a picture of \(size) has \(size.width * size.height) numbers, not \(ids.count)")
        self.size = size
        self.ids = ids
    }
}

/// A thing that can be seen in pictures of objects.
public struct TruthObject: Hashable, Sendable {
    /// Its number in the pictures, from 1 on.
    public var id: Int
    /// Its name.
    public var name: String
    /// What it is: `box`, `print`, `head`, `hand` and so on.
    public var kind: String

    /// A thing with that number.
    public init(id: Int, name: String, kind: String) {
        self.id = id
        self.name = name
        self.kind = kind
    }
}
