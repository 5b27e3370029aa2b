// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport

/// A floor, a wall, a table in the shape of an L, and a card with a code on it, seen by a camera that walks around them.
struct SampleWorld {
    static let camera = CameraCalibration(
        camera: SampleCamera.phone.camera, imageSize: SampleCamera.phone.imageSize, rateInHertz: 10)

    static let planes = [
        DeclaredPlane(
            name: "floor", worldFromPlane: .identity,
            boundary: [Point2(-1, -0.8), Point2(-1, 0.9), Point2(1.1, 0.9), Point2(1.1, -0.8)], classification: .floor),
        DeclaredPlane(
            name: "wall",
            worldFromPlane: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), translation: Vector3(0, 0, -0.8)),
            boundary: [Point2(-1, -1.2), Point2(-1, 0), Point2(1.1, 0), Point2(1.1, -1.2)], classification: .wall),
        DeclaredPlane(
            name: "table",
            worldFromPlane: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 0.4, 0)), translation: Vector3(0.1, 0.5, 0)),
            boundary: [
                Point2(-0.4, -0.3), Point2(-0.4, 0.3), Point2(0, 0.3), Point2(0, 0.1), Point2(0.4, 0.1),
                Point2(0.4, -0.3),
            ], classification: .table),
    ]

    /// The card's corners in the world.
    static let card = rectangle(width: 0.063, height: 0.088)
    /// The corners of its code, which has 29 modules along a side.
    static let code = rectangle(width: 0.04, height: 0.04)

    private static func rectangle(width: Double, height: Double) -> [Point3] {
        let worldFromCard = planes[2].worldFromPlane * RigidTransform(translation: Vector3(-0.1, 0, -0.1))
        return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, z in
            worldFromCard * Point3(x * width / 2, 0, z * height / 2)
        }
    }

    /// The instants of the frames, a tenth of a second apart.
    static let instants = (0..<40).map { Timestamp(nanoseconds: 5_000_000_000 + Int64($0) * 100_000_000) }

    /// What is true at a frame.
    static func frame(_ index: Int) -> FrameTruth {
        let angle = 0.3 * sin(Double(index) / 8)
        let pose = RigidTransform(
            from: Point3(0.1 + 1.5 * sin(angle), 1.5 + 0.1 * cos(Double(index)), 1.5 * cos(angle)),
            lookingAt: Point3(0.05, 0.4, -0.1))
        var truth = FrameTruth(timestamp: instants[index], worldFromCamera: pose)
        truth.rectangles = [RectangleTruth(name: "card", corners: corners(card, from: pose))]
        truth.codes = [
            CodeTruth(
                name: "card", payload: "Q♥", symbology: "qr", modulesAcross: 29, corners: corners(code, from: pose))
        ]
        return truth
    }

    static func pixel(of point: Point3, from worldFromCamera: RigidTransform) -> PixelPoint? {
        camera.camera.project(RigidTransform.opticalFromCamera * (worldFromCamera.inverse * point))
    }

    private static func corners(_ places: [Point3], from pose: RigidTransform) -> CornersTruth {
        CornersTruth(inWorld: places, pixels: places.map { pixel(of: $0, from: pose) }, visibleFraction: 1)
    }

    /// The evaluation of answers, of which the first is about the first frame.
    static func evaluate(
        _ answers: [FrameAnswers], planes: [DeclaredPlane] = planes, truthFromSession: RigidTransform = .identity,
        options: WorldEvaluationOptions = WorldEvaluationOptions(), change: (inout FrameTruth) -> Void = { _ in }
    ) -> WorldEvaluation {
        var evaluator = WorldEvaluator(
            truth: SessionTruth(planes: planes), camera: camera, truthFromSession: Similarity(truthFromSession),
            options: options)
        for (index, answer) in answers.enumerated() {
            var truth = frame(index)
            change(&truth)
            evaluator.compare(answer, with: truth)
        }
        return evaluator.evaluation
    }

    /// What a session answers that knows the truth, in a world of its own.
    static func trueAnswers(truthFromSession: RigidTransform = .identity) -> [FrameAnswers] {
        let sessionFromTruth = truthFromSession.inverse
        return instants.indices.map { index in
            let truth = frame(index)
            var answers = FrameAnswers(
                timestamp: truth.timestamp, worldFromCamera: sessionFromTruth * truth.worldFromCamera)
            answers.changedPlanes = index == 0 ? planes.map { PlaneAnswer($0, sessionFromTruth) } : []
            answers.hits = hits(on: truth).map { hit in
                var hit = hit
                hit.position = sessionFromTruth * hit.position
                return hit
            }
            answers.rectangles = truth.rectangles.compactMap { truth in
                truth.corners.quad.map(RectangleAnswer.init)
            }
            answers.placedRectangles = [
                PlacedRectangleAnswer(
                    identifier: "r1", corners: card.map { sessionFromTruth * $0 }, size: Vector2(0.063, 0.088))
            ]
            answers.codes = truth.codes.compactMap { truth in
                truth.corners.quad.map { CodeAnswer(payload: truth.payload, symbology: truth.symbology, quad: $0) }
            }
            return answers
        }
    }

    /// Hits on the table's corner and on the floor, through the pixels that show them.
    private static func hits(on truth: FrameTruth) -> [HitAnswer] {
        [("table", Point3(0.1, 0.5, 0)), ("floor", Point3(0.3, 0, 0.6))].compactMap { name, place in
            pixel(of: place, from: truth.worldFromCamera).map {
                HitAnswer(type: "existingPlaneUsingGeometry", pixel: $0, position: place, anchor: name)
            }
        }
    }
}

extension PlaneAnswer {
    /// The anchor that a session has of a declared plane when it knows it exactly.
    init(_ plane: DeclaredPlane, _ sessionFromTruth: RigidTransform = .identity) {
        self.init(
            identifier: plane.name, worldFromPlane: sessionFromTruth * plane.worldFromPlane, boundary: plane.boundary,
            classification: plane.classification)
    }
}

extension CornersTruth {
    /// The corners' pixels.
    var quad: PixelQuad? {
        let known = pixels.compactMap { $0 }
        return known.count == 4 ? PixelQuad(corners: known) : nil
    }
}

extension RigidTransform {
    /// The pose of a camera that looks at a point with its top up.
    init(from eye: Point3, lookingAt target: Point3) {
        let back = (eye - target).normalized()!
        let right = Vector3(0, 1, 0).cross(back).normalized()!
        self.init(rotation: Rotation(Matrix3x3(right, back.cross(right), back))!, translation: eye)
    }
}
