// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct PlaneEvaluationTests {
    @Test(arguments: 0..<5) func theTruthHasNoError(number: Int) throws {
        var random = TestRandom(case: number)
        let truthFromSession = random.yawAndPlace()
        let outcomes = try #require(
            SampleWorld.evaluate(
                SampleWorld.trueAnswers(truthFromSession: truthFromSession), truthFromSession: truthFromSession
            ).planes)
        #expect(outcomes.falsePlanes.isEmpty && outcomes.duplicateCount == 0)
        #expect(outcomes.planes.map(\.name) == ["floor", "wall", "table"])
        for plane in outcomes.planes {
            #expect(plane.secondsToFind == 0 && plane.secondsToFindWhenTracked == 0)
            let match = try #require(plane.match)
            #expect(match.identifier == plane.name && match.classification == plane.classification)
            for deviation in [match.world, try #require(match.camera)] {
                expectClose(deviation.turn, 0, tolerance: 1e-9)
                expectClose(deviation.offset, 0, tolerance: 1e-9)
                expectClose(deviation.overlapWithWhole, 1, tolerance: 1e-9)
            }
            expectClose(match.world.overlapWithSeen, plane.partSeen, tolerance: 1e-9)
        }
        let table = outcomes.planes[2]
        #expect(table.isSeenWell && table.partSeen == 1)
        expectClose(table.secondsInSight, 3.9, tolerance: 1e-9)
        // The table stands in the camera's way to the floor.
        #expect(outcomes.planes[0].partSeen < 0.97 && outcomes.planes[0].partSeen > 0.5)
    }

    @Test(arguments: 0..<20) func knownErrorsAreFound(number: Int) throws {
        var random = TestRandom(case: number)
        let index = number % 3
        let (turn, offset) = (random.uniform(0...0.05), random.uniform(-0.02...0.02))
        let declared = SampleWorld.planes[index]
        // A turn about the middle of the outline leaves its distance there.
        let middle = try #require(Polygon2(declared.boundary).centroid)
        let axis = try #require(Vector3(random.uniform(), 0, random.uniform()).normalized())
        let planeFromTurned =
            RigidTransform(translation: Vector3(middle.x, offset, middle.y))
            * RigidTransform(rotation: Rotation(rotationVector: turn * axis))
            * RigidTransform(translation: Vector3(-middle.x, 0, -middle.y))
        var answers = SampleWorld.trueAnswers()
        answers[0].changedPlanes[index].worldFromPlane = declared.worldFromPlane * planeFromTurned
        let match = try #require(SampleWorld.evaluate(answers).planes?.planes[index].match)
        expectClose(match.world.turn, turn, tolerance: 1e-9)
        // The outline laid flat shrinks by the cosine, and its middle moves a little.
        expectClose(match.world.offset, offset, tolerance: 1e-4)
        expectClose(match.world.overlapWithWhole, 1, tolerance: 0.05 * 0.05 + abs(sin(turn) * offset) * 10)
    }

    @Test func theOutlinesOverlapCounts() throws {
        var answers = SampleWorld.trueAnswers()
        // Half of the floor, and as much beyond it.
        answers[0].changedPlanes[0].boundary = SampleWorld.planes[0].boundary.map { $0 + Point2(1.05, 0) }
        let match = try #require(SampleWorld.evaluate(answers).planes?.planes[0].match)
        expectClose(match.world.overlapWithWhole, 1 / 3, tolerance: 1e-12)
    }

    @Test func errorsOfThePoseShowInTheWorldAlone() throws {
        // From the third frame on everything that the session says is a little off, the camera as much as the planes.
        let drift = RigidTransform(translation: Vector3(0.01, 0.015, 0))
        var answers = SampleWorld.trueAnswers()
        for index in 2..<answers.count {
            answers[index].worldFromCamera = answers[index].worldFromCamera.map { drift * $0 }
        }
        answers[2].changedPlanes = SampleWorld.planes.map { PlaneAnswer($0, drift) }
        let evaluation = SampleWorld.evaluate(answers)
        let table = try #require(evaluation.planes?.planes[2].match)
        expectClose(table.world.offset, 0.015, tolerance: 1e-9)
        expectClose(try #require(table.camera).offset, 0, tolerance: 1e-9)
        expectClose(try #require(table.camera).overlapWithWhole, 1, tolerance: 1e-9)
        let wall = try #require(evaluation.planes?.planes[1].match)
        expectClose(wall.world.offset, 0, tolerance: 1e-9)
    }

    /// A frame that stands out from its wall by less than planes are known to is the wall: found with it, and not to be found besides.
    /// One that stands out farther, or is turned, is a plane of its own.
    @Test(arguments: [(0.008, 0, true), (-0.008, 0, true), (0.015, 0, false), (0.001, 0.02, false)])
    func whatLiesOnALargerPlaneIsAPartOfIt(distance: Double, turn: Double, isPart: Bool) throws {
        var frame = SampleWorld.planes[1]
        frame.name = "frame"
        let middle = try #require(Polygon2(frame.boundary).centroid)
        frame.boundary = frame.boundary.map { middle + 0.4 * ($0 - middle) }
        frame.worldFromPlane =
            frame.worldFromPlane
            * RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 0, turn)), translation: Vector3(0, distance, 0))
        let outcomes = try #require(
            SampleWorld.evaluate(SampleWorld.trueAnswers(), planes: SampleWorld.planes + [frame]).planes)
        let (wall, part) = (outcomes.planes[1], outcomes.planes[3])
        #expect(part.whole == (isPart ? "wall" : nil))
        #expect(part.match == nil && part.isSeenWell == !isPart)
        #expect(wall.whole == nil && wall.match?.identifier == "wall" && wall.isSeenWell)
        #expect(outcomes.falsePlanes.isEmpty && outcomes.duplicateCount == 0)
    }

    @Test func planesThatDoNotExistAreTimed() throws {
        func plane(_ identifier: String, height: Double, tilt: Double = 0) -> PlaneAnswer {
            PlaneAnswer(
                identifier: identifier,
                worldFromPlane: RigidTransform(
                    rotation: Rotation(rotationVector: Vector3(tilt, 0, 0)), translation: Vector3(0.1, height, 0)),
                boundary: [Point2(-0.1, -0.1), Point2(-0.1, 0.1), Point2(0.1, 0.1), Point2(0.1, -0.1)])
        }
        var answers = SampleWorld.trueAnswers()
        answers[5].changedPlanes = [plane("above", height: 0.6), plane("tilted", height: 0.5, tilt: 0.2)]
        answers[8].changedPlanes = [plane("above", height: 0.59)]
        answers[12].changedPlanes = [plane("above", height: 0.51)]
        answers[20].removedAnchors = ["tilted"]
        answers[30].changedPlanes = [plane("late", height: 0.3), plane("upside down", height: 0.5, tilt: .pi)]
        let outcomes = try #require(SampleWorld.evaluate(answers).planes)
        #expect(outcomes.falsePlanes.map(\.identifier) == ["above", "tilted", "late", "upside down"])
        for (plane, seconds) in zip(outcomes.falsePlanes, [0.7, 1.5, 0.9, 0.9]) {
            expectClose(plane.seconds, seconds, tolerance: 1e-9, plane.identifier)
        }
        // What came near the table is the table once more.
        #expect(outcomes.duplicateCount == 1)
        #expect(outcomes.planes[2].match?.identifier == "table")
    }

    /// A flat thing that nobody declares is no false plane where the depth pictures show it; seen through, or laid aslant through
    /// what they show, it is one.
    @Test(arguments: [(height: 0.3, tilt: 0.0, isReal: true), (0.2, 0, false), (0.3, 0.5, false), (0.3, 0.05, true)])
    func whatDepthsShowIsReal(height: Double, tilt: Double, isReal: Bool) throws {
        var answers = SampleWorld.trueAnswers()
        answers[5].changedPlanes = [Self.shelf(height: 0.3, tilt: tilt)]
        let outcomes = try #require(
            SampleWorld.evaluate(answers) { Self.showLevelPlane(at: height, in: &$0) }.planes)
        #expect(outcomes.falsePlanes.map(\.identifier) == (isReal ? [] : ["shelf"]))
    }

    /// Of a plane out of sight depth pictures show nothing: it stays real while it is refined by 2 cm, and must be shown anew where it
    /// comes to lie 4 cm aside.
    @Test(arguments: [(rise: 0.02, isReal: true), (0.04, false)])
    func whatDepthsHaveShownStaysReal(rise: Double, isReal: Bool) throws {
        var answers = SampleWorld.trueAnswers()
        answers[5].changedPlanes = [Self.shelf(height: 0.3)]
        answers[20].changedPlanes = [Self.shelf(height: 0.3 + rise)]
        #expect(try Self.falsePlanes(of: answers) == (isReal ? [] : ["shelf"]))
    }

    /// A plane that is told of when it is out of sight is what depth pictures had shown of it.
    @Test(arguments: [(height: 0.3, isReal: true), (0.35, false)])
    func whatDepthsHadShownIsReal(height: Double, isReal: Bool) throws {
        var answers = SampleWorld.trueAnswers()
        answers[20].changedPlanes = [Self.shelf(height: height)]
        #expect(try Self.falsePlanes(of: answers) == (isReal ? [] : ["shelf"]))
    }

    /// What lies at a rim of a thing, a little higher, does not turn it: an edge of three centimetres on a sixth of a shelf. As squares count,
    /// it would by 7°, and the shelf would be said not to exist.
    @Test func anEdgeAtARimTurnsNothing() throws {
        var answers = SampleWorld.trueAnswers()
        answers[5].changedPlanes = [Self.shelf(height: 0.3)]
        let rim = -0.5 + 0.1 - 0.2 / 6
        let outcomes = try #require(
            SampleWorld.evaluate(answers) { Self.showLevelPlane(at: 0.3, raisedBy: 0.03, beyond: rim, in: &$0) }.planes)
        #expect(outcomes.falsePlanes.isEmpty)
    }

    /// What is called false where depth pictures show a level plane at 0.3 m in the frames 5 to 7, and nothing else.
    private static func falsePlanes(of answers: [FrameAnswers]) throws -> [String] {
        let size = SampleWorld.camera.imageSize
        let nothing = DepthPicture(size: size, meters: [Float](repeating: 0, count: size.width * size.height))
        let outcomes = SampleWorld.evaluate(answers) { truth in
            truth.pictures.depth = nothing
            showLevelPlane(at: 0.3, in: &truth)
        }.planes
        return try #require(outcomes).falsePlanes.map(\.identifier)
    }

    private static func shelf(height: Double, tilt: Double = 0) -> PlaneAnswer {
        PlaneAnswer(
            identifier: "shelf",
            worldFromPlane: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(tilt, 0, 0)), translation: Vector3(-0.5, height, 0.3)),
            boundary: [Point2(-0.1, -0.1), Point2(-0.1, 0.1), Point2(0.1, 0.1), Point2(0.1, -0.1)])
    }

    /// Lets the depth pictures of some frames show a level plane and nothing else, or one that is higher from some x on.
    private static func showLevelPlane(
        at height: Double, raisedBy rise: Double = 0, beyond rim: Double = .infinity, in truth: inout FrameTruth
    ) {
        guard SampleWorld.instants[5...7].contains(truth.timestamp) else { return }
        let (size, pose) = (SampleWorld.camera.imageSize, truth.worldFromCamera)
        let meters = (0..<size.height).flatMap { row in
            (0..<size.width).map { column -> Float in
                let sight = SampleWorld.camera.camera.unproject(PixelPoint(Double(column), Double(row)))!
                let ray = pose.rotation * (RigidTransform.cameraFromOptical.rotation * sight)
                func share(downTo height: Double) -> Double { (height - pose.translation.y) / ray.y }
                guard ray.y < 0 else { return 0 }
                let raised = share(downTo: height + rise)
                let isRaised = (pose.translation + raised * ray).x > rim
                return Float(sight.z * (isRaised ? raised : share(downTo: height)))
            }
        }
        truth.pictures.depth = DepthPicture(size: size, meters: meters)
    }

    @Test func theTimeToFindCountsFromTheFirstSight() throws {
        var answers = SampleWorld.trueAnswers()
        answers[0].changedPlanes = []
        for index in 0..<6 { answers[index].isTracked = false }
        answers[15].changedPlanes = [PlaneAnswer(SampleWorld.planes[2])]
        let planes = try #require(
            SampleWorld.evaluate(answers) { truth in
                // Something stands before the camera, says the truth.
                let isHidden = truth.timestamp < SampleWorld.instants[3]
                truth.planes = [PlaneTruth(name: "table", visibleFraction: isHidden ? 0 : 0.9)]
            }.planes?.planes)
        expectClose(try #require(planes[2].secondsToFind), 1.2, tolerance: 1e-9)
        expectClose(try #require(planes[2].secondsToFindWhenTracked), 0.9, tolerance: 1e-9)
        #expect(planes[0].secondsToFind == nil && planes[0].match == nil)
    }

    @Test(arguments: 0..<10) func theOrderDoesNotMatter(number: Int) throws {
        var random = TestRandom(case: number)
        var answers = SampleWorld.trueAnswers()
        // Pieces of the table and of the floor that compete.
        for index in 0..<6 {
            var piece = PlaneAnswer(SampleWorld.planes[index % 2 * 2])
            piece.identifier = "piece \(index)"
            piece.boundary = piece.boundary.map { $0 * random.uniform(0.3...0.9) }
            answers[0].changedPlanes.append(piece)
        }
        answers[0].changedPlanes.removeAll { $0.identifier == "table" }
        let evaluation = SampleWorld.evaluate(answers)
        answers[0].changedPlanes.shuffle(using: &random)
        #expect(SampleWorld.evaluate(answers) == evaluation)
        let table = try #require(evaluation.planes?.planes[2].match)
        #expect(table.identifier.hasPrefix("piece"))
        #expect(evaluation.planes?.duplicateCount == 5)
    }

    @Test func theSeenPartIsWhatWasInThePicture() throws {
        // A camera that looks straight down on the floor, and sees part of it.
        var evaluator = WorldEvaluator(
            truth: SessionTruth(planes: [SampleWorld.planes[0]]), camera: SampleWorld.camera,
            truthFromSession: .identity)
        let down = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: Vector3(0, 1, 0))
        var answers = FrameAnswers(timestamp: Timestamp(nanoseconds: 0), worldFromCamera: down)
        let intrinsics = SampleWorld.camera.camera.intrinsics
        func place(_ x: Double, _ y: Double) -> Point2 {
            Point2((x - intrinsics.cx) / intrinsics.fx, (y - intrinsics.cy) / intrinsics.fy)
        }
        let seen = [place(-0.5, -0.5), place(-0.5, 719.5), place(1279.5, 719.5), place(1279.5, -0.5)]
        answers.changedPlanes = [PlaneAnswer(identifier: "a", worldFromPlane: .identity, boundary: seen)]
        evaluator.compare(answers, with: FrameTruth(timestamp: answers.timestamp, worldFromCamera: down))
        let plane = try #require(evaluator.evaluation.planes?.planes[0])
        let area = Polygon2(seen).area
        // Cells of a sixty-fourth of the floor's length, in and out at the rim.
        expectClose(plane.partSeen, area / (2.1 * 1.7), tolerance: 0.01)
        expectClose(try #require(plane.match).world.overlapWithSeen, 1, tolerance: 0.04)
        expectClose(try #require(plane.match).world.overlapWithWhole, area / (2.1 * 1.7), tolerance: 1e-9)
    }

    @Test func whatLiesBehindAnotherPlaneIsNotSeen() throws {
        // A camera high above all of the floor, whose wide lens sees all of it.
        var camera = SampleWorld.camera
        camera.camera.intrinsics.fx /= 2
        camera.camera.intrinsics.fy /= 2
        let down = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: Vector3(0, 3, 0))
        func partsSeen(_ planes: [DeclaredPlane]) throws -> [Double] {
            var evaluator = WorldEvaluator(
                truth: SessionTruth(planes: planes), camera: camera, truthFromSession: .identity)
            let instant = Timestamp(nanoseconds: 0)
            evaluator.compare(
                FrameAnswers(timestamp: instant, worldFromCamera: down),
                with: FrameTruth(timestamp: instant, worldFromCamera: down))
            return try #require(evaluator.evaluation.planes).planes.map(\.partSeen)
        }
        let (floor, table) = (SampleWorld.planes[0], SampleWorld.planes[2])
        #expect(try partsSeen([floor]) == [1])
        let parts = try partsSeen([floor, table])
        #expect(parts[1] == 1)
        // From a height of 3 m the table, 0.5 m high, hides as much of the floor as if it were 3 / 2.5 as wide.
        let hidden = Polygon2(table.boundary).area * 1.2 * 1.2 / Polygon2(floor.boundary).area
        expectClose(parts[0], 1 - hidden, tolerance: 0.005)
    }
}
