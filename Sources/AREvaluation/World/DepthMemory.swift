// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What depth pictures have shown so far, from places all along the camera's way: a plane may be told of when it is out of sight.
///
/// A view is kept, coarsely, where no other one is near. When there are too many, every second one goes, and those that come must lie twice as far apart.
///
/// Law: `PlaneEvaluationTests.whatDepthsHadShownIsReal`.
struct DepthMemory: Sendable {
    private(set) var views: [DepthView] = []
    private var metresApart = 0.15
    private var radiansApart = 0.15

    private static let capacity = 64

    /// Keeps a view, unless a similar one is kept.
    mutating func keep(_ view: DepthView) {
        let isKnown = views.contains { known in
            (known.worldFromCamera.translation - view.worldFromCamera.translation).length < metresApart
                && known.worldFromCamera.rotation.angle(to: view.worldFromCamera.rotation) < radiansApart
        }
        guard !isKnown else { return }
        views.append(view.reduced)
        guard views.count > Self.capacity else { return }
        views = views.indices.filter { $0.isMultiple(of: 2) }.map { views[$0] }
        (metresApart, radiansApart) = (2 * metresApart, 2 * radiansApart)
    }
}
