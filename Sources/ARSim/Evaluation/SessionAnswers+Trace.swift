// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import ARVision
import Foundation

extension SessionAnswers {
    /// Reads what a trace says of the world. Keys that are not known are passed over.
    public init(contentsOf trace: URL) throws {
        let reader = try LineReader(trace)
        var header: TraceHeaderFields?
        self.init()
        while let line = try reader.next() {
            guard !line.isBlank else { continue }
            let node = try JSONReader.read(line.bytes, file: trace.lastPathComponent, line: line.number)
            if let header {
                let frame = try FrameAnswers(traceRow: node, header)
                if let last = frames.last, frame.timestamp < last.timestamp {
                    throw try node.required("time_ns").error(
                        expected: "an instant that is not before \(last.timestamp)")
                }
                frames.append(frame)
            } else {
                header = try TraceHeaderFields(node)
                mode = header?.mode
            }
        }
    }
}

/// What the first line of a trace says.
private struct TraceHeaderFields {
    let mode: String
    /// The middle of the picture, where hits were made in traces that do not say where.
    let center: PixelPoint

    init(_ node: DocumentNode) throws(DocumentError) {
        let version = try node.required("arsim_trace")
        guard try version.int64() == TraceWriter.formatVersion else {
            throw version.error(expected: "a trace of version \(TraceWriter.formatVersion)")
        }
        mode = try node.required("mode").string()
        let size = try node.required("image_size_px").doubles(count: 2)
        center = PixelPoint((size[0] - 1) / 2, (size[1] - 1) / 2)
    }
}

extension FrameAnswers {
    fileprivate init(traceRow node: DocumentNode, _ header: TraceHeaderFields) throws(DocumentError) {
        self.init(
            timestamp: Timestamp(nanoseconds: try node.required("time_ns").int64()),
            worldFromCamera: try node.value("world_from_camera").map { pose throws(DocumentError) in
                try RigidTransform(traceAnswer: pose)
            },
            isTracked: try node.required("tracking_state").string() == StampedState.normal)
        for key in ["anchors_added", "anchors_updated"] {
            // What has no outline is another kind of anchor.
            for anchor in try node.value(key)?.items() ?? [] where try anchor.value("boundary_m") != nil {
                changedPlanes.append(try PlaneAnswer(traceAnchor: anchor))
            }
        }
        for identifier in try node.value("anchors_removed")?.items() ?? [] {
            removedAnchors.append(try identifier.string())
        }
        for hit in try node.value("center_hits")?.items() ?? [] {
            hits.append(try HitAnswer(traceHit: hit, center: header.center))
        }
        if let items = try node.value("rectangles")?.items() {
            rectangles = []
            for item in items {
                rectangles?.append(RectangleAnswer(quad: try PixelQuad(traceCorners: item.required("corners_px"))))
            }
        }
        if let items = try node.value("world_rectangles")?.items() {
            placedRectangles = []
            for item in items { placedRectangles?.append(try PlacedRectangleAnswer(traceRectangle: item)) }
        }
        if let items = try node.value("faces")?.items() {
            faces = []
            for item in items { faces?.append(try FaceAnswer(traceFace: item)) }
        }
        if let items = try node.value("codes")?.items() {
            codes = []
            for item in items { codes?.append(try CodeAnswer(traceCode: item)) }
        }
        if let items = try node.value("image_targets")?.items() {
            targets = []
            // What the picture does not show has no corners.
            for item in items where try item.value("corners_px") != nil {
                targets?.append(try TargetAnswer(traceTarget: item))
            }
        }
    }
}

extension PlaneAnswer {
    fileprivate init(traceAnchor node: DocumentNode) throws(DocumentError) {
        let outline = try node.required("boundary_m")
        var corners: [Point2] = []
        for item in try outline.items() {
            let numbers = try item.coordinates(count: 2)
            corners.append(Point2(numbers[0], numbers[1]))
        }
        guard corners.count >= 3 else { throw outline.error(expected: "three corners [x, z] or more") }
        self.init(
            identifier: try node.required("identifier").string(),
            worldFromPlane: try RigidTransform(traceAnswer: node.required("world_from_anchor")), boundary: corners,
            classification: try node.required("classification").choice(of: PlaneClassification.self))
    }
}

extension HitAnswer {
    fileprivate init(traceHit node: DocumentNode, center: PixelPoint) throws(DocumentError) {
        var pixel = center
        if let place = try node.value("pixel_px")?.coordinates(count: 2) { pixel = PixelPoint(place[0], place[1]) }
        self.init(
            type: try node.required("type").string(), pixel: pixel,
            position: try Point3(traceNumbers: node.required("position_m")),
            anchor: try node.value("anchor").map { anchor throws(DocumentError) in try anchor.string() })
    }
}

extension PlacedRectangleAnswer {
    fileprivate init(traceRectangle node: DocumentNode) throws(DocumentError) {
        var corners: [Point3] = []
        for corner in try node.required("corners_m").items(count: 4) {
            corners.append(try Point3(traceNumbers: corner))
        }
        let size = try node.required("size_m").coordinates(count: 2)
        self.init(
            identifier: try node.required("identifier").string(),
            name: try node.value("payload").map { payload throws(DocumentError) in try payload.string() },
            corners: corners, size: Vector2(size[0], size[1]))
    }
}

extension FaceAnswer {
    fileprivate init(traceFace node: DocumentNode) throws(DocumentError) {
        let box = try node.required("box_px").coordinates(count: 4)
        func angle(_ key: String) throws(DocumentError) -> Double {
            try node.value(key).map { value throws(DocumentError) in try value.double() } ?? 0
        }
        self.init(
            id: Int(try node.required("id").int64()),
            box: PixelBox(minimum: PixelPoint(box[0], box[1]), maximum: PixelPoint(box[2], box[3])),
            isSeen: try node.required("is_seen").bool(),
            angles: EulerAngles(pitch: try angle("pitch_rad"), yaw: try angle("yaw_rad"), roll: try angle("roll_rad")))
    }
}

extension CodeAnswer {
    fileprivate init(traceCode node: DocumentNode) throws(DocumentError) {
        self.init(
            payload: try node.required("payload").string(), symbology: try node.required("symbology").string(),
            quad: try PixelQuad(traceCorners: node.required("corners_px")))
    }
}

extension TargetAnswer {
    fileprivate init(traceTarget node: DocumentNode) throws(DocumentError) {
        self.init(
            picture: try node.required("name").string(),
            quad: try PixelQuad(traceCorners: node.required("corners_px")),
            cameraFromTarget: try node.value("camera_from_target").map { pose throws(DocumentError) in
                try RigidTransform(traceAnswer: pose)
            })
    }
}

extension PixelQuad {
    fileprivate init(traceCorners node: DocumentNode) throws(DocumentError) {
        var corners: [PixelPoint] = []
        for item in try node.items(count: 4) {
            let numbers = try item.coordinates(count: 2)
            corners.append(PixelPoint(numbers[0], numbers[1]))
        }
        self.init(corners: corners)
    }
}

extension Point3 {
    fileprivate init(traceNumbers node: DocumentNode) throws(DocumentError) {
        let numbers = try node.coordinates(count: 3)
        self.init(numbers[0], numbers[1], numbers[2])
    }
}

extension RigidTransform {
    /// Reads a pose whose position can be compared.
    fileprivate init(traceAnswer node: DocumentNode) throws(DocumentError) {
        try self.init(tracePose: node)
        _ = try node.required("position_m").coordinates(count: 3)
    }
}

extension DocumentNode {
    /// Coordinates in metres or pixels, of which products are numbers still.
    fileprivate func coordinates(count: Int) throws(DocumentError) -> [Double] {
        let numbers = try doubles(count: count)
        guard numbers.allSatisfy({ abs($0) <= 1e9 }) else { throw error(expected: "numbers from −1e9 to 1e9") }
        return numbers
    }
}
