// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct KeyPictureTests {
    /// A picture whose pose was believed to be a little elsewhere is put where it saw the points.
    @Test(arguments: 0..<5) func aPictureIsAlignedToThePoints(number: Int) {
        var random = TestRandom(case: number)
        let places = (0..<40).map { _ in
            Point3(random.uniform(-0.5...0.5), random.uniform(0.6...0.9), random.uniform(-0.3...0.3))
        }
        let frame = PaintedTable.room.frame(0, at: PaintedTable.pose(0), following: places)
        var picture = PaintedTable.keyPicture(
            0, following: frame,
            believedOffBy: Twist(translation: 0.005 * random.direction(), rotation: 0.004 * random.direction()))
        let truth = PaintedTable.pose(0) * .cameraFromOptical
        func worstError(_ picture: KeyPicture) -> Double {
            let errors = places.compactMap { place -> Double? in
                guard let seen = PaintedRoom.camera.project(truth.inverse * place),
                    let shown = PaintedRoom.camera.project(picture.opticalFromWorld * place)
                else { return nil }
                return seen.distance(to: shown)
            }
            return errors.max() ?? .infinity
        }
        #expect(worstError(picture) > 0.6)
        // One point in ten is wrong altogether.
        var points = frame.featurePoints
        for index in points.indices where index % 10 == 0 { points[index].position += 0.1 * random.direction() }
        picture.align(to: points)
        // How the camera moved and how it turned are hardly told apart: what the picture shows counts.
        #expect(worstError(picture) <= 0.3)
    }

    /// However often a picture is aligned to a few points close together, which were drawn aside: it stays near where it
    /// was believed to be.
    @Test(arguments: 0..<5) func aPictureDoesNotWalkAway(number: Int) {
        var random = TestRandom(case: number)
        let places = (0..<8).map { _ in
            Point3(random.uniform(-0.03...0.03), random.uniform(0.69...0.71), random.uniform(-0.03...0.03))
        }
        let frame = PaintedTable.room.frame(0, at: PaintedTable.pose(0), following: places)
        var picture = PaintedTable.keyPicture(0, following: frame)
        let believed = picture.worldFromOptical
        let drift = 0.004 * random.direction()
        var points = frame.featurePoints
        for index in points.indices { points[index].position += drift + 0.003 * random.direction() }
        for _ in 0..<30 { picture.align(to: points) }
        let error = (believed.inverse * picture.worldFromOptical).twist
        // Two of the standard deviations with which it was believed.
        #expect(error.translation.length <= 0.01 && error.rotation.length <= 0.007)
    }

    /// Where tracking was lost, pictures that show today's points are kept, and those that show fewer than six of them go.
    @Test(arguments: [true, false]) func picturesOfAnotherTimeGo(pointsAreFoundAgain: Bool) {
        var random = TestRandom()
        let places = (0..<20).map { _ in Point3(random.uniform(-0.3...0.3), 0.7, random.uniform(-0.2...0.2)) }
        var memory = PictureMemory()
        func take(_ number: Int, idsFrom firstID: UInt64) {
            var frame = PaintedTable.room.frame(number, at: PaintedTable.pose(3 * number), following: places)
            for index in frame.featurePoints.indices {
                frame.featurePoints[index].id += firstID
                frame.sightings[index].id += firstID
            }
            memory.take(
                frame, FramePicture(image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: 0))
        }
        for number in 0..<12 { take(number, idsFrom: 0) }
        let kept = memory.pictures.map(\.number)
        #expect(kept.count == 4)
        memory.pause()
        for number in 12..<15 { take(number, idsFrom: pointsAreFoundAgain ? 0 : 1000) }
        #expect(memory.pictures.map(\.number) == (pointsAreFoundAgain ? kept : []) + [5])
    }

    /// The older pictures are, the farther apart are those that are kept: sixteen of them reach back by thirty.
    @Test func picturesThinOutWithTheirAge() {
        var memory = PictureMemory()
        let picture = FramePicture(
            image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: 0)
        for number in 0..<300 {
            let pose = PaintedTable.pose(2 * number)
            memory.take(PaintedTable.room.frame(number, at: pose, following: [Point3(0, 0.7, 0)]), picture)
            let kept = memory.pictures.map(\.number)
            guard let newest = kept.last, newest > 32 else { continue }
            #expect(kept.count <= 16 && kept.suffix(8).elementsEqual(newest - 7...newest))
            #expect(newest - kept[0] >= 28 && zip(kept, kept.dropFirst()).allSatisfy { (1...4).contains($1 - $0) })
        }
        #expect((memory.pictures.last?.number ?? 0) > 40)
    }

    /// A picture without a readout needs no motion, and counts however slowly frames come; others do not.
    @Test(arguments: [(0.0, 4), (9e-5, 4), (-0.02, 0), (0.02, 0)]) func slowFramesCountWithoutReadout(
        readout: Double, kept: Int
    ) {
        var memory = PictureMemory()
        let picture = FramePicture(
            image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: readout)
        // A picture is kept in every third frame at most.
        for number in 0..<12 {
            let pose = PaintedTable.pose(3 * number)
            var frame = PaintedTable.room.frame(number, at: pose, following: [Point3(0, 0.7, 0)])
            frame.timestamp = Timestamp(nanoseconds: Int64(number) * 250_000_000)
            memory.take(frame, picture)
        }
        #expect(memory.pictures.count == kept)
    }

    /// Each row has the pose of its instant: the rows above the middle were exposed before it, those below after it.
    @Test func rowsHaveTheirOwnPoses() {
        let motion = Twist(translation: Vector3(0.5, 0, 0), rotation: Vector3(0, 1, 0))
        let picture = KeyPicture(
            number: 1, picture: SmoothedPicture(ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)),
            camera: PaintedRoom.camera, worldFromOptical: .identity, motion: motion, readoutSeconds: 0.02)
        for row in [0, 119, 120, 239] {
            let part = (Double(row) + 0.5) / 240 - 0.5
            let pose = picture.worldFromOptical(atRow: Double(row)).twist
            #expect(abs(pose.rotation.y - 0.02 * part) < 1e-12)
            #expect(abs(pose.translation.x - 0.01 * part) < 1e-12)
        }
        #expect(picture.worldFromOptical(atRow: 17.4) == picture.worldFromOptical(atRow: 17))
        #expect(picture.worldFromOptical(atRow: 300) == picture.worldFromOptical(atRow: 239))
        #expect(picture.worldFromOptical(atRow: -1) == picture.worldFromOptical(atRow: 0))
    }

    /// Pictures are reduced to at most 800 columns; their pixels and the frame's name the same places.
    @Test(arguments: [(640, 1), (1280, 2), (1920, 3)]) func picturesAreReduced(width: Int, step: Int) {
        var image = ImageBuffer(size: ImageSize(width: width, height: 48), format: .rgb8)
        for row in 0..<48 {
            for column in 0..<width { image.bytes[3 * (row * width + column) + 1] = UInt8(column * 250 / width) }
        }
        let picture = SmoothedPicture(image)
        #expect(picture.step == step && picture.width == width / step && picture.height == 48 / step)
        for column in stride(from: 2, to: picture.width - 2, by: 17) {
            let pixel = PixelPoint(Double(column), 5)
            let frame = picture.framePixel(of: pixel)
            #expect(picture.pixel(ofFrame: frame).distance(to: pixel) < 1e-9)
            let value = Double(picture.fine.values[5 * picture.width + column]) * Double(GreyPixels.shareOfGrey)
            #expect(abs(value - frame.x * 250 / Double(width)) <= 1.5)
        }
    }
}
