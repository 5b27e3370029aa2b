// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

@testable import ARSimulation

/// A picture with what each pixel's centre sees.
struct Rendering {
    var image: ImageBuffer
    var objects: [Int32]
    var depths: [Float]
}

extension SimulatedCamera {
    /// The picture of a shot with what each pixel's centre sees.
    func rendering(of shot: Shot) -> Rendering {
        let image = image(of: shot)
        return Rendering(image: image, objects: renderer.objects, depths: renderer.depths(of: shot))
    }
}

extension Renderer {
    /// The depth of what each pixel's centre sees, zero where there is nothing.
    func depths(of shot: Shot) -> [Float] {
        TruthPainter(size: size, kinds: [.depth]).pictures(of: shot, by: self).depth?.meters ?? []
    }
}
