// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct HitEvaluationTests {
    @Test(arguments: 0..<5) func theTruthHasNoError(number: Int) throws {
        var random = TestRandom(case: number)
        let truthFromSession = random.yawAndPlace()
        let evaluation = SampleWorld.evaluate(
            SampleWorld.trueAnswers(truthFromSession: truthFromSession), truthFromSession: truthFromSession)
        let hits = try #require(evaluation.hits)
        #expect(hits.count == 2 * SampleWorld.instants.count && evaluation.hitsByType.count == 1)
        let metres = try #require(hits.metres)
        #expect(metres.world.count == hits.count && metres.camera.count == hits.count)
        // A pixel is 1/934 of the distance, and is kept to 1e-13 of that.
        expectClose(metres.world.maximum, 0, tolerance: 1e-9)
        expectClose(metres.camera.maximum, 0, tolerance: 1e-9)
    }

    @Test func knownErrorsAreFoundByType() throws {
        var answers = SampleWorld.trueAnswers()
        let errors = answers.indices.map { 0.001 * Double($0 + 1) }
        for index in answers.indices {
            answers[index].hits = Array(answers[index].hits.prefix(1))
            answers[index].hits[0].position.x += errors[index]
            answers[index].hits[0].type = index % 2 == 0 ? "existingPlaneUsingExtent" : "featurePoint"
            if index % 2 == 1 { answers[index].hits[0].anchor = nil }
        }
        let evaluation = SampleWorld.evaluate(answers)
        #expect(evaluation.hitsByType.map(\.type) == ["existingPlaneUsingExtent", "featurePoint"])
        let metres = try #require(evaluation.hits?.metres)
        expectClose(metres.world.median, 0.0205, tolerance: 1e-9)
        expectClose(metres.world.p95, 0.038, tolerance: 1e-9)
        expectClose(metres.world.maximum, 0.04, tolerance: 1e-9)
        let even = try #require(evaluation.hitsByType[0].metres)
        expectClose(even.world.maximum, 0.039, tolerance: 1e-9)
        let farthest = (SampleWorld.frame(39).worldFromCamera.translation - Point3(0.1, 0.5, 0)).length
        expectClose(try #require(evaluation.hits?.metresPerMetre).world.maximum, 0.04 / farthest, tolerance: 2e-3)
    }

    @Test func planesWithoutBoundsAreTheirOwn() throws {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].hits[0].type = "existingPlane"
            answers[index].hits[0].position.x += 5
        }
        let evaluation = SampleWorld.evaluate(answers)
        expectClose(try #require(evaluation.hits?.metres).world.maximum, 0, tolerance: 1e-9)
        #expect(evaluation.hits?.count == answers.count)
        expectClose(try #require(evaluation.hitsByType[0].metres).world.median, 5, tolerance: 1e-9)
        for index in answers.indices { answers[index].hits.removeLast() }
        #expect(SampleWorld.evaluate(answers).hits == nil)
    }

    @Test func driftShowsInTheWorldAlone() throws {
        let drift = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.01, 0)), translation: Vector3(0.01, 0, 0))
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].worldFromCamera = answers[index].worldFromCamera.map { drift * $0 }
            for hit in answers[index].hits.indices {
                answers[index].hits[hit].position = drift * answers[index].hits[hit].position
            }
        }
        let metres = try #require(SampleWorld.evaluate(answers).hits?.metres)
        expectClose(metres.camera.maximum, 0, tolerance: 1e-9)
        #expect(metres.world.median > 0.005)
    }

    @Test func depthPicturesSayWhatStandsBefore() throws {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].hits = Array(answers[index].hits.prefix(1))
            answers[index].hits[0].type = "featurePoint"
            answers[index].hits[0].anchor = nil
        }
        let size = SampleWorld.camera.imageSize
        func metres(_ depth: @escaping (FrameTruth) -> Float) throws -> HitErrors {
            try #require(
                SampleWorld.evaluate(answers) { truth in
                    truth.pictures.depth = DepthPicture(
                        size: size, meters: [Float](repeating: depth(truth), count: size.width * size.height))
                }.hits)
        }
        // All pixels see something one metre ahead; the table's place is farther away along the ray.
        let before = try metres { _ in 1 }
        #expect(try #require(before.metres).world.median > 0.5)
        let exact = try metres { truth in
            Float((RigidTransform.opticalFromCamera * (truth.worldFromCamera.inverse * Point3(0.1, 0.5, 0))).z)
        }
        expectClose(try #require(exact.metres).world.maximum, 0, tolerance: 1e-6)
        // Nothing is seen there.
        let nothing = try metres { _ in 0 }
        #expect(nothing.metres == nil && nothing.count == answers.count)
    }

    @Test func whatMeetsNothingHasNoTruth() throws {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].hits = [
                HitAnswer(
                    type: "featurePoint", pixel: PixelPoint(1279, 0), position: Point3(2, 3, 1), anchor: "unknown")
            ]
        }
        let hits = try #require(SampleWorld.evaluate(answers).hits)
        #expect(hits.count == answers.count && hits.metres == nil)
    }
}
