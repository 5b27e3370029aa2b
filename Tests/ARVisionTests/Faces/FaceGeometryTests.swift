// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

@Suite struct HeadPoseTests {
    private static func pose(_ random: inout TestRandom) -> HeadPose {
        HeadPose(
            center: random.vector2(100...400), side: random.uniform(30...200),
            cameraFromHead: Rotation(
                EulerAngles(
                    pitch: random.uniform(-0.5...0.5), yaw: random.uniform(-0.8...0.8),
                    roll: random.uniform(-0.8...0.8))))
    }

    /// What a pixel shows of the head is seen at that pixel.
    @Test func surfaceRoundTrip() {
        var random = TestRandom()
        var count = 0
        for _ in 0..<400 {
            let pose = Self.pose(&random)
            let pixel = PixelPoint(pose.center + pose.side * random.vector2(-0.35...0.35))
            guard let surface = pose.surfacePoint(at: pixel), surface.facing > 0.5 else { continue }
            count += 1
            // Going back and forth settles to a part of the nose's slope in five steps.
            #expect(pose.pixel(of: surface.point).distance(to: pixel) < 0.03 * pose.side)
        }
        #expect(count > 200)
    }

    /// Points that are seen where a head has them tell its pose, from a start that is 0.2 rad and a tenth of its side off;
    /// a fifth of them may lie anywhere.
    @Test(arguments: 0..<20)
    func fitFindsThePose(number: Int) throws {
        var random = TestRandom(case: number)
        let truth = Self.pose(&random)
        var points: [HeadPoint] = []
        while points.count < 40 {
            let pixel = PixelPoint(truth.center + truth.side * random.vector2(-0.35...0.35))
            guard let surface = truth.surfacePoint(at: pixel), surface.facing > 0.4 else { continue }
            let isAstray = points.count % 5 == 0
            let shift = isAstray ? truth.side * random.vector2(-0.3...0.3) : .zero
            points.append(
                HeadPoint(onHead: surface.point, pixel: PixelPoint(truth.pixel(of: surface.point).vector + shift)))
        }
        var start = truth
        start.center += 0.03 * truth.side * random.vector2()
        start.side *= exp(0.1 * random.uniform())
        start.cameraFromHead = Rotation(rotationVector: 0.2 * random.direction()) * truth.cameraFromHead
        let fitted = try #require(start.fitted(to: points, tolerance: 0.02 * truth.side))
        #expect(fitted.cameraFromHead.angle(to: truth.cameraFromHead) < 0.05)
        #expect((fitted.center - truth.center).length < 0.01 * truth.side)
        #expect(abs(log(fitted.side / truth.side)) < 0.02)
    }

    @Test func tooFewPointsDetermineNothing() {
        let pose = HeadPose(center: Vector2(50, 50), side: 40, cameraFromHead: .identity)
        let point = HeadPoint(onHead: Point3(0, 0, 0.5), pixel: PixelPoint(50, 50))
        #expect(pose.fitted(to: [point, point, point], tolerance: 1) == nil)
        #expect(pose.fitted(to: [HeadPoint](repeating: point, count: 10), tolerance: 1) == nil)
    }

    /// A head in a turned picture shows each of its points where the recorded picture, turned, shows those of the head in it.
    @Test(arguments: InterfaceOrientation.allCases)
    func quarterTurns(orientation: InterfaceOrientation) {
        var random = TestRandom()
        let size = ImageSize(width: 640, height: 480)
        for _ in 0..<20 {
            let pose = Self.pose(&random)
            let recorded = pose.recorded(from: orientation, imageSize: size)
            for point in HeadModel.outline {
                let place =
                    orientation.turnedFromRecorded
                    * {
                        Point2($0.x, $0.y)
                    }(NormalizedImagePoint(recorded.pixel(of: point), imageSize: size))
                let pixel = PixelPoint(
                    NormalizedImagePoint(place.x, place.y), imageSize: size.turned(for: orientation))
                #expect(pose.pixel(of: point).distance(to: pixel) < 1e-9)
            }
        }
    }

    /// What the angles' signs mean in the picture, and that undoing a turn undoes it: the nose of a head that looks to the
    /// viewer's right is seen right of the middle, the crown of one that leans to the viewer's left is seen left of it; and
    /// a head with a pattern on it, drawn with such a turn, looks from the front as it does without one.
    @Test(arguments: [-30.0, 30])
    func signsOfYawAndRoll(degrees: Double) throws {
        let turn = degrees * .pi / 180
        func pose(yaw: Double = 0, roll: Double = 0) -> HeadPose {
            HeadPose(
                center: Vector2(80, 80), side: 70,
                cameraFromHead: Rotation(EulerAngles(pitch: 0, yaw: yaw, roll: roll)))
        }
        let nose = Point3(0, -0.11, HeadModel.depth(x: 0, y: -0.11))
        #expect((pose(yaw: turn).pixel(of: nose).x - 80).sign == turn.sign)
        let crown = Point3(0, 0.7, HeadModel.anchor.z)
        #expect((pose(roll: turn).pixel(of: crown).x - 80).sign != turn.sign)

        func picture(of pose: HeadPose) -> ImageBuffer {
            var image = ImageBuffer(size: ImageSize(width: 160, height: 160), format: .gray8)
            for row in 0..<160 {
                for column in 0..<160 {
                    guard let place = pose.surfacePoint(at: PixelPoint(Double(column), Double(row)))?.point
                    else { continue }
                    let light = 120 + 60 * sin(20 * place.x + 1) + 50 * cos(9 * place.y)
                    image.bytes[row * 160 + column] = UInt8(light)
                }
            }
            return image
        }
        func look(at image: ImageBuffer, as pose: HeadPose) throws -> FaceAppearance {
            try #require(FaceAppearance(of: pose, in: image))
        }
        let frontal = try look(at: picture(of: pose()), as: pose())
        let yawed = picture(of: pose(yaw: turn))
        #expect(try look(at: yawed, as: pose(yaw: turn)).correlation(with: frontal) > 0.95)
        #expect(try look(at: yawed, as: pose(yaw: -turn)).correlation(with: frontal) < 0.6)
        let rolled = picture(of: pose(roll: turn))
        #expect(try look(at: rolled, as: pose(roll: turn)).correlation(with: frontal) > 0.95)
        #expect(try look(at: rolled, as: pose(roll: -turn)).correlation(with: frontal) < 0.6)
    }
}

@Suite struct FaceBoxTests {
    @Test func visionBoxes() {
        let size = ImageSize(width: 200, height: 100)
        let box = FaceBox(minimum: PixelPoint(19.5, 9.5), maximum: PixelPoint(59.5, 29.5))
        let upright = VisionBox(box, imageSize: size)
        expectClose(upright.origin.x, 0.1, tolerance: 1e-12)
        expectClose(upright.origin.y, 0.7, tolerance: 1e-12)
        expectClose(upright.width, 0.2, tolerance: 1e-12)
        expectClose(upright.height, 0.2, tolerance: 1e-12)
        // Portrait turns the picture clockwise: its left edge comes to lie at the top.
        let portrait = VisionBox(box, imageSize: size, turnedFor: .portrait)
        expectClose(portrait.origin.x, 0.7, tolerance: 1e-12)
        expectClose(portrait.origin.y, 0.7, tolerance: 1e-12)
        let bounds = NormalizedImageBox(box, imageSize: size)
        expectClose(bounds.origin.y, 0.1, tolerance: 1e-12)
    }

    private static func box(from left: Double) -> FaceBox {
        FaceBox(minimum: PixelPoint(left, 0), maximum: PixelPoint(left + 10, 10))
    }

    @Test func overlapOfBoxes() {
        let box = Self.box(from: 0)
        expectClose(box.overlap(with: box), 1, tolerance: 1e-12)
        expectClose(box.overlap(with: Self.box(from: 5)), 1.0 / 3, tolerance: 1e-12)
        expectClose(box.overlap(with: Self.box(from: 20)), 0, tolerance: 1e-12)
    }
}

@Suite struct FaceViewTests {
    private static let imageSize = ImageSize(width: 640, height: 480)

    private static func face(_ angles: EulerAngles) -> DetectedFace {
        DetectedFace(
            box: FaceBox(minimum: PixelPoint(100, 120), maximum: PixelPoint(180, 190)), confidence: 1,
            cameraFromHead: Rotation(angles), hasPitch: true)
    }

    /// A face that is upright in portrait lies on its side in the recorded picture, its crown to the left.
    @Test func anglesTurnWithThePicture() throws {
        let face = Self.face(EulerAngles(pitch: 0, yaw: 0, roll: .pi / 2))
        expectClose(try #require(face.angles.roll), .pi / 2, tolerance: 1e-12)
        expectClose(try #require(face.angles(turnedFor: .portrait).roll), 0, tolerance: 1e-12)
        expectClose(try #require(face.angles.rollAngle), 270, tolerance: 1e-9)
        let other = Self.face(EulerAngles(pitch: 0.1, yaw: -0.3, roll: 0.2)).angles(turnedFor: .landscapeLeft)
        expectClose(try #require(other.yaw), 0.3, tolerance: 1e-9)
        expectClose(try #require(other.pitch), -0.1, tolerance: 1e-9)
    }

    @Test func degreesAndFlags() throws {
        let angles = FaceAngles(roll: -0.1, yaw: nil, pitch: nil)
        #expect(angles.hasRollAngle && !angles.hasYawAngle && angles.yawAngle == nil)
        expectClose(try #require(angles.rollAngle), 0.1 * 180 / .pi, tolerance: 1e-9)
        #expect(FaceAngles(roll: 1e-20, yaw: 0, pitch: nil).rollAngle == 0)
    }

    /// A single picture of a head that is upright in portrait tells its yaw there, and in the recorded picture, where the
    /// head lies on its side, the nod that this yaw is.
    @Test func whatIsNotMeasuredIsNotTold() throws {
        let upright = Rotation(EulerAngles(pitch: 0, yaw: 0.4, roll: 0.2))
        let recorded = InterfaceOrientation.portrait.viewFromCamera.rotation.inverse * upright
        let face = DetectedFace(
            box: FaceBox(minimum: PixelPoint(0, 0), maximum: PixelPoint(9, 9)), confidence: 1,
            cameraFromHead: recorded, hasPitch: false)
        let portrait = face.angles(turnedFor: .portrait)
        expectClose(try #require(portrait.yaw), 0.4, tolerance: 1e-9)
        #expect(portrait.pitch == nil)
        #expect(face.angles.yaw == nil && face.angles.hasRollAngle)
        expectClose(abs(try #require(face.angles.pitch)), 0.4, tolerance: 1e-9)
    }

    /// A preview without mirror shows pixels where the viewport does.
    @Test(arguments: InterfaceOrientation.allCases)
    func previewAgreesWithViewport(orientation: InterfaceOrientation) {
        var random = TestRandom()
        for mode in Viewport.ContentMode.allCases {
            let viewport = Viewport(
                size: ViewSize(width: 375, height: 812), orientation: orientation, contentMode: mode)
            let preview = FacePreview(viewport)
            for _ in 0..<20 {
                let pixel = PixelPoint(random.vector2(0...480))
                let shown = ViewPoint(pixel, in: viewport, imageSize: Self.imageSize)
                let point = NormalizedImagePoint(pixel, imageSize: Self.imageSize)
                let place = preview.viewFromPicture(imageSize: Self.imageSize) * Point2(point.x, point.y)
                expectClose(place.x * 375, shown.x, tolerance: 1e-9)
                expectClose(place.y * 812, shown.y, tolerance: 1e-9)
            }
        }
    }

    /// Every view shows a box of the same middle as the middle it shows; a mirror turns place, roll and yaw around.
    @Test(arguments: InterfaceOrientation.allCases, VideoGravity.allCases)
    func mirrors(orientation: InterfaceOrientation, gravity: VideoGravity) throws {
        let size = ViewSize(width: 400, height: 700)
        let face = Self.face(EulerAngles(pitch: 0.1, yaw: 0.2, roll: 0.3))
        let plain = FacePreview(viewSize: size, orientation: orientation, gravity: gravity)
            .shown(face, imageSize: Self.imageSize)
        let mirrored = FacePreview(viewSize: size, orientation: orientation, gravity: gravity, isMirrored: true)
            .shown(face, imageSize: Self.imageSize)
        expectClose(mirrored.center.x, size.width - plain.center.x, tolerance: 1e-9)
        expectClose(mirrored.center.y, plain.center.y, tolerance: 1e-9)
        expectClose(try #require(mirrored.angles.roll), -(try #require(plain.angles.roll)), tolerance: 1e-12)
        expectClose(try #require(mirrored.angles.pitch), try #require(plain.angles.pitch), tolerance: 1e-12)
        let center = NormalizedImagePoint(face.box.center, imageSize: Self.imageSize)
        let preview = FacePreview(viewSize: size, orientation: orientation, gravity: gravity)
        let place = preview.viewFromPicture(imageSize: Self.imageSize) * Point2(center.x, center.y)
        expectClose(place.x * size.width, plain.center.x, tolerance: 1e-9)
    }

    @Test(arguments: InterfaceOrientation.allCases)
    func picturesTurnWithTheirPoints(orientation: InterfaceOrientation) {
        let size = ImageSize(width: 5, height: 3)
        let image = ImageBuffer(size: size, format: .gray8, bytes: (0..<15).map(UInt8.init))
        let turned = image.turned(for: orientation)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let point = NormalizedImagePoint(PixelPoint(Double(column), Double(row)), imageSize: size)
                let place = orientation.turnedFromRecorded * Point2(point.x, point.y)
                let pixel = PixelPoint(NormalizedImagePoint(place.x, place.y), imageSize: turned.size)
                let index = Int(pixel.y.rounded()) * turned.size.width + Int(pixel.x.rounded())
                #expect(turned.bytes[index] == image.bytes[row * size.width + column])
            }
        }
    }
}

@Suite struct FaceOverlayTests {
    /// Roll, then the device's turn, then yaw, each about Core Animation's axes.
    @Test func composition() throws {
        let overlay = FaceOverlay(rollAngle: 30, yawAngle: 0)
        let right = try #require(overlay.image(of: Vector2(100, 0)))
        // Clockwise, since y runs down.
        expectClose(right.x, 100 * cos(Double.pi / 6), tolerance: 1e-9)
        expectClose(right.y, 50, tolerance: 1e-9)
        // A yaw about −Y brings the right edge nearer: it is seen larger.
        let turned = FaceOverlay(rollAngle: nil, yawAngle: 60)
        let near = try #require(turned.image(of: Vector2(100, 50)))
        let far = try #require(turned.image(of: Vector2(-100, 50)))
        expectClose(near.x, 50 / (1 - 100 * sin(Double.pi / 3) / 1000), tolerance: 1e-9)
        #expect(near.y > 50 && far.y < 50)
        let upsideDown = FaceOverlay(rollAngle: 0, yawAngle: 0, orientation: .portraitUpsideDown)
        expectClose(try #require(upsideDown.image(of: Vector2(10, 20))).y, -20, tolerance: 1e-9)
        // Without a yaw angle the device's turn is left out with it.
        let unturned = FaceOverlay(rollAngle: 0, yawAngle: nil, orientation: .portraitUpsideDown)
        expectClose(try #require(unturned.image(of: Vector2(10, 20))).y, 20, tolerance: 1e-9)
    }

    /// A head that looks to the viewer's right takes the right side of its box away; one that leans to the viewer's left
    /// lowers its left side.
    @Test func boxesTurnWithTheHead() throws {
        let looking = FaceOverlay(FaceAngles(roll: 0, yaw: 0.5, pitch: nil))
        let right = try #require(looking.image(of: Vector2(100, 50)))
        let left = try #require(looking.image(of: Vector2(-100, 50)))
        #expect(abs(right.y) < abs(left.y))
        let leaning = FaceOverlay(FaceAngles(roll: 0.3, yaw: 0, pitch: nil))
        #expect(try #require(leaning.image(of: Vector2(-100, 0))).y > 0)
    }

    /// Vision's angles and AVFoundation's degrees of the same face turn its layer the same way.
    @Test(arguments: 0..<20)
    func bothWaysAgreeInPortrait(number: Int) throws {
        var random = TestRandom(case: number)
        let angles = FaceAngles(roll: random.uniform(-3...3), yaw: random.uniform(-1.5...1.5), pitch: nil)
        let (one, other) = (
            FaceOverlay(angles), FaceOverlay(rollAngle: angles.rollAngle, yawAngle: angles.yawAngle)
        )
        for _ in 0..<10 {
            let point = random.vector2(-100...100)
            let difference = try #require(one.image(of: point)) - (try #require(other.image(of: point)))
            #expect(difference.length < 1e-9)
        }
    }

    /// What comes too near to the eye is not shown, and nothing else is far off.
    @Test func pointsBehindTheEyeAreLeftOut() {
        let overlay = FaceOverlay(FaceAngles(roll: 0.5, yaw: 0.9, pitch: nil))
        #expect(overlay.image(of: Vector2(-1400, 0)) == nil)
        let outline = overlay.roundedOutline(size: ViewSize(width: 2600, height: 2600))
        #expect((1..<20).contains(outline.count))
        #expect(outline.allSatisfy { $0.length < 10 * 2600 })
    }

    @Test func roundedOutlineStaysInTheBox() {
        let outline = FaceOverlay(FaceAngles(roll: 0, yaw: 0, pitch: nil))
            .roundedOutline(size: ViewSize(width: 80, height: 60))
        #expect(outline.count == 20)
        #expect(outline.allSatisfy { abs($0.x) <= 40 + 1e-9 && abs($0.y) <= 30 + 1e-9 })
        #expect(outline.contains { abs($0.x) > 40 - 1e-9 } && outline.contains { abs($0.y) > 30 - 1e-9 })
    }
}
