// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

@testable import ARSimulation

extension SceneStage {
    /// The thing of that name.
    func object(named name: String) -> StagedObject? { objects.first { $0.name == name } }
}

extension StagedObject {
    /// The picture's corners in the world; `nil` when the thing has no flat picture.
    func corners(at seconds: Double) -> [Point3]? {
        let corners = NormalizedImagePoint.pictureCorners.compactMap { point(inPictureAt: $0, seconds: seconds) }
        return corners.isEmpty ? nil : corners
    }
}
