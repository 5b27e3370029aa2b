// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld

/// A pose in a trace.
struct TracePose: Encodable {
    let position_m: [Double]
    let orientation_xyzw: [Double]

    init(_ pose: RigidTransform) {
        position_m = pose.translation.numbers
        let q = pose.rotation.canonical.coefficients
        orientation_xyzw = [q.x, q.y, q.z, q.w]
    }
}

/// An anchor in a trace: what all kinds have, and what is the kind's own.
struct TraceAnchor: Encodable {
    let kind: String
    let identifier: String
    let name: String?
    let world_from_anchor: TracePose
    let is_tracked: Bool?
    var alignment: String?
    var classification: String?
    var center_m: [Double]?
    var extent_m: [Double]?
    var extent_rotation_on_y_axis_rad: Double?
    var boundary_m: [[Double]]?
    var plane: String?
    var size_m: [Double]?
    var estimated_scale_factor: Double?
    var payload: String?
    var symbology: String?

    init(_ anchor: Anchor) {
        kind = anchor.kind
        identifier = anchor.identifier.uuidString
        name = anchor.name
        world_from_anchor = TracePose(anchor.worldFromAnchor)
        is_tracked = anchor.isTracked
        switch anchor {
        case .user(let anchor): plane = anchor.support?.plane.uuidString
        case .plane(let plane):
            alignment = plane.alignment.rawValue
            classification = plane.classification.rawValue
            center_m = plane.center.numbers
            extent_m = [plane.extent.width, plane.extent.height]
            extent_rotation_on_y_axis_rad = plane.extent.rotationOnYAxis
            boundary_m = plane.boundary.map { [$0.x, $0.y] }
        case .image(let image):
            size_m = image.physicalSize.numbers
            estimated_scale_factor = image.estimatedScaleFactor
        case .code(let code):
            size_m = code.size.numbers
            payload = code.payload
            symbology = code.symbology.rawValue
        case .rectangle(let rectangle): size_m = rectangle.size.numbers
        case .face: break
        }
    }
}

extension Anchor {
    /// The kind's name in a trace.
    fileprivate var kind: String {
        switch self {
        case .user: "user"
        case .plane: "plane"
        case .image: "image"
        case .code: "code"
        case .rectangle: "rectangle"
        case .face: "face"
        }
    }
}

extension RectangleSize {
    /// Width and height.
    var numbers: [Double] { [width, height] }
}

extension Vector3 {
    /// x, y and z.
    var numbers: [Double] { [x, y, z] }
}
