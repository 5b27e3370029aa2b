// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry

extension WorldEvaluation {
    /// What each plane, kind of hit, rectangle and code is like; what is not known is left out.
    var json: JSONValue {
        var entries: [String: JSONValue] = ["frames": .integer(Int64(frameCount))]
        if let planes {
            entries["planes"] = .list(planes.planes.map(\.json))
            entries["false_planes"] = .list(planes.falsePlanes.map(\.json))
            entries["duplicate_planes"] = .integer(Int64(planes.duplicateCount))
        }
        if !hitsByType.isEmpty { entries["hits"] = .list(hitsByType.map(\.json)) }
        if let rectangles { entries["detected_rectangles"] = rectangles.json }
        if placedRectangles != nil { entries["rectangles"] = .list(placedRectanglesByName.map(\.json)) }
        if let codes { entries["codes"] = .list(codes.codes.map(\.json)) }
        if let targets { entries["image_targets"] = targets.json }
        if let faces { entries["faces"] = faces.json }
        return .record(entries)
    }
}

extension PlaneOutcome {
    fileprivate var json: JSONValue {
        .known([
            "name": .string(name), "class": .string(classification.rawValue), "part_seen": .number(partSeen),
            "part_seen_well": .number(partSeenWell), "area_seen_well_m2": .number(areaSeenWell),
            "part_of": whole.map(JSONValue.string), "in_sight_s": .number(secondsInSight),
            "seen_well": .bool(isSeenWell),
            "found_s": secondsToFind.map(JSONValue.number),
            "found_tracked_s": secondsToFindWhenTracked.map(JSONValue.number), "anchor": match?.json,
        ])
    }
}

extension PlaneMatch {
    fileprivate var json: JSONValue {
        .known([
            "identifier": .string(identifier), "class": .string(classification.rawValue), "world": world.json,
            "camera": camera?.json,
        ])
    }
}

extension PlaneError {
    fileprivate var json: JSONValue {
        .known([
            "normal_deg": .number(turn * 180 / .pi), "offset_m": .number(offset), "iou": .number(overlapWithWhole),
            "seen_iou": .number(overlapWithSeen), "well_seen_iou": overlapWithWellSeen.map(JSONValue.number),
        ])
    }
}

extension FalsePlane {
    fileprivate var json: JSONValue {
        .record([
            "identifier": .string(identifier), "start_ns": .integer(start.nanoseconds), "time_s": .number(seconds),
        ])
    }
}

extension HitErrors {
    fileprivate var json: JSONValue {
        .known([
            "type": .string(type), "count": .integer(Int64(count)), "error_mm": metres?.map(\.inMillimetres).json,
            "error_mm_per_m": metresPerMetre?.map(\.inMillimetres).json,
        ])
    }
}

extension RectangleDetection {
    fileprivate var json: JSONValue {
        .known([
            "expected": .integer(Int64(expectedCount)), "found": .integer(Int64(foundCount)),
            "others": .integer(Int64(otherCount)), "corner_px": cornerPixels?.json,
        ])
    }
}

extension PlacedRectangleErrors {
    fileprivate var json: JSONValue {
        .known([
            "name": .string(name), "expected": .integer(Int64(expectedCount)), "found": .integer(Int64(foundCount)),
            "quadrant_errors": .integer(Int64(quadrantErrorCount)), "misnamed": .integer(Int64(misnamedCount)),
            "size_mm": sizeMetres?.inMillimetres.json,
            "size_percent": sizeParts?.scaled(by: 100).json, "corner_mm": cornerMetres?.map(\.inMillimetres).json,
            "center_mm": centerMetres?.map(\.inMillimetres).json, "heading_deg": heading?.map(\.inDegrees).json,
            "tilt_deg": tilt?.map(\.inDegrees).json,
        ])
    }
}

extension CodeErrors {
    fileprivate var json: JSONValue {
        .known([
            "name": .string(name), "expected": .integer(Int64(expectedCount)), "found": .integer(Int64(foundCount)),
            "corner_px": cornerPixels?.json, "read_s": secondsToRead.map(JSONValue.number),
        ])
    }
}

extension TargetOutcomes {
    fileprivate var json: JSONValue {
        .record([
            "targets": .list(targets.map(\.json)), "wrong_names": .integer(Int64(wrongNameCount)),
            "misplaced": .integer(Int64(misplacedCount)), "named": .integer(Int64(namedCount)),
        ])
    }
}

extension TargetErrors {
    fileprivate var json: JSONValue {
        .known([
            "name": .string(name), "expected": .integer(Int64(expectedCount)), "found": .integer(Int64(foundCount)),
            "corner_px": cornerPixels?.json, "turn_deg": turn?.inDegrees.json,
            "offset_percent": offsetParts?.scaled(by: 100).json, "named_s": secondsToName.map(JSONValue.number),
        ])
    }
}

extension FaceOutcomes {
    fileprivate var json: JSONValue {
        .known([
            "faces": .list(faces.map(\.json)), "false": .integer(Int64(falseCount)),
            "precision": precision.map(JSONValue.number),
        ])
    }
}

extension FaceErrors {
    fileprivate var json: JSONValue {
        .known([
            "name": .string(name), "expected": .integer(Int64(expectedCount)), "found": .integer(Int64(foundCount)),
            "held": .integer(Int64(heldCount)), "id_switches": .integer(Int64(switchCount)),
            "missing_overlap": missingOverlap?.json,
            "roll_deg": roll?.inDegrees.json, "yaw_deg": yaw?.inDegrees.json, "pitch_deg": pitch?.inDegrees.json,
        ])
    }
}

extension ErrorQuantiles {
    fileprivate var json: JSONValue {
        .record([
            "count": .integer(Int64(count)), "median": .number(median), "p95": .number(p95), "max": .number(maximum),
        ])
    }
}

extension WorldAndCamera where Figure == ErrorQuantiles {
    fileprivate var json: JSONValue { .record(["world": world.json, "camera": camera.json]) }
}

extension JSONValue {
    /// A record of what is known.
    fileprivate static func known(_ entries: [String: JSONValue?]) -> JSONValue {
        .record(entries.compactMapValues { $0 })
    }
}
