// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision

/// How a session looks for faces: which models it uses, and how it follows what it finds.
public struct FaceSearch: Hashable, Sendable {
    /// What faces look like.
    public var models: FaceModels
    /// How they are followed.
    public var configuration: FaceTracker.Configuration

    /// A search with those models.
    public init(_ models: FaceModels, configuration: FaceTracker.Configuration = FaceTracker.Configuration()) {
        self.models = models
        self.configuration = configuration
    }
}
