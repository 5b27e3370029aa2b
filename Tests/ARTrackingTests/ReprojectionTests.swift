// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTracking

@Suite struct ReprojectionTests {
    private static let calibration = CameraState(
        CameraCalibration(
            camera: .radialTangential(
                RadialTangentialCamera(
                    PinholeIntrinsics(fx: 470, fy: 465, cx: 322, cy: 238), k1: -0.2, k2: 0.05, p1: 1e-3, p2: -5e-4)),
            imageSize: ImageSize(width: 640, height: 480),
            imuFromOptical: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0.3, -1.2, 0.4)), translation: Vector3(0.02, -0.05, 0.01)),
            rateInHertz: 30))

    /// Each derivative, by what it is the derivative of: errors as the filter counts them, one after the other.
    @Test(arguments: [0.4, 0.0, -0.05]) func jacobiansAreTheDerivatives(inverseDepth: Double) throws {
        var random = TestRandom("reprojection \(inverseDepth)")
        for _ in 0..<20 {
            let clone = Self.pose(&random)
            // The anchor looks the same way as the clone, from nearby.
            let anchor = RigidTransform(
                rotation: Rotation(rotationVector: Self.vector(&random, 0.1)) * clone.rotation,
                translation: clone.translation + Self.vector(&random, 0.3))
            let coordinates = Vector3(random.uniform(-0.3...0.3), random.uniform(-0.3...0.3), inverseDepth)
            func pixel(
                clone: RigidTransform = clone, anchor: RigidTransform = anchor, coordinates: Vector3 = coordinates,
                calibration: CameraState = Self.calibration
            ) throws -> Vector2 {
                let point = AnchoredPoint(coordinates, worldFromAxes: anchor * Self.calibration.imuFromOptical).point
                return try #require(Reprojection(point, rowPose: clone, calibration: calibration)).pixel.vector
            }
            let anchored = AnchoredPoint(coordinates, worldFromAxes: anchor * Self.calibration.imuFromOptical)
            let found = try #require(Reprojection(anchored.point, rowPose: clone, calibration: Self.calibration))
            func column(_ block: PixelByPoint, _ axis: Int) -> Vector2 { [block.x, block.y, block.z][axis] }
            func check(_ derivative: Vector2, _ body: (Double) throws -> Vector2) throws {
                let h = 1e-6
                let numeric = try (body(h) - body(-h)) / (2 * h)
                #expect((derivative - numeric).length < 1e-4 * (1 + numeric.length))
            }
            for parameter in 0..<StateLayout.lensSize {
                try check(found.byLens[parameter]) { h in
                    func step(_ other: Int) -> Double { other == parameter ? h : 0 }
                    var moved = Self.calibration
                    moved.correct(
                        focal: Vector2(step(0), step(1)), principal: Vector2(step(2), step(3)), radial: step(4))
                    return try pixel(calibration: moved)
                }
            }
            for axis in 0..<3 {
                var unit = Vector3.zero
                unit[axis] = 1
                try check(column(found.byRotation, axis)) { try pixel(clone: clone.erring(turn: unit * $0)) }
                try check(column(found.byPosition, axis)) { try pixel(clone: clone.erring(shift: unit * $0)) }
                try check(-1 * column(found.byRotation, axis)) { try pixel(anchor: anchor.erring(turn: unit * $0)) }
                try check(-1 * column(found.byPosition, axis)) { try pixel(anchor: anchor.erring(shift: unit * $0)) }
                try check(column(found.byExtrinsicRotation, axis)) { h in
                    var moved = Self.calibration
                    moved.correct(turn: unit * h)
                    return try pixel(calibration: moved)
                }
                try check(column(found.byExtrinsicTranslation, axis)) { h in
                    var moved = Self.calibration
                    moved.correct(shift: unit * h)
                    return try pixel(calibration: moved)
                }
                let byCoordinates = [
                    found.byScaledPoint * anchored.columnAxis, found.byScaledPoint * anchored.rowAxis,
                    found.byScaledPoint * anchored.origin + found.byWeight,
                ]
                try check(byCoordinates[axis]) { try pixel(coordinates: coordinates + unit * $0) }
            }
        }
    }

    /// Where rows take longer, a point is seen elsewhere: by how the IMU turns and goes meanwhile, also beyond the times of which there is a
    /// table.
    @Test(arguments: [0.4, 0.0]) func readoutMovesPoints(inverseDepth: Double) throws {
        var random = TestRandom("readout \(inverseDepth)")
        for _ in 0..<20 {
            var history = ImuHistory(calibration: Self.imu)
            let (rate, force) = (Self.vector(&random, 3), Self.vector(&random, 15))
            for step in 0...100 as ClosedRange<Int64> {
                let part = Double(step) / 100
                history.insert(
                    ImuSample(
                        timestamp: Timestamp(nanoseconds: step * 1_000_000), angularVelocity: part * rate,
                        specificForce: (1 - part) * force))
            }
            let instant = Timestamp(nanoseconds: 50_000_000)
            let clone = Clone(
                timestamp: instant, instant: instant, worldFromImu: Self.pose(&random),
                velocity: Self.vector(&random, 2),
                readout: ReadoutMotion(about: instant, readoutSeconds: 0.02, history: history, errors: ImuErrors()))
            func row(_ seconds: Double) -> RowMotion { clone.row(at: seconds, gravity: Vector3(0, -9.81, 0)) }
            let coordinates = Vector3(random.uniform(-0.3...0.3), random.uniform(-0.3...0.3), inverseDepth)
            let axes = clone.worldFromImu * Self.calibration.imuFromOptical
            let point = AnchoredPoint(coordinates, worldFromAxes: axes).point
            func seen(_ seconds: Double) throws -> Reprojection {
                let pose = row(seconds).worldFromImu
                return try #require(Reprojection(point, rowPose: pose, calibration: Self.calibration))
            }
            // Not where two of the table's lines meet.
            for seconds in [-0.013, -0.0087, -0.0012, 0.0012, 0.0062, 0.0112] {
                let h = 1e-6
                let numeric = try (seen(seconds + h).pixel.vector - seen(seconds - h).pixel.vector) / (2 * h)
                let found = try seen(seconds).perSecond(of: row(seconds))
                #expect((found - numeric).length < 1e-4 * (1 + numeric.length))
            }
        }
    }

    /// A turn of everything and a shift of everything are not seen.
    @Test func theWholeWorldMayMove() throws {
        var random = TestRandom("gauge")
        let clone = Self.pose(&random)
        let anchor = RigidTransform(rotation: clone.rotation, translation: clone.translation + Vector3(0.1, 0.2, -0.1))
        let coordinates = Vector3(0.1, -0.2, 0.3)
        for _ in 0..<10 {
            let motion = Self.pose(&random)
            func pixel(_ world: RigidTransform) -> PixelPoint? {
                let axes = world * anchor * Self.calibration.imuFromOptical
                let point = AnchoredPoint(coordinates, worldFromAxes: axes).point
                return Reprojection(point, rowPose: world * clone, calibration: Self.calibration)?.pixel
            }
            let (before, after) = (try #require(pixel(.identity)), try #require(pixel(motion)))
            #expect(before.distance(to: after) < 1e-9)
        }
    }

    private static let imu = ImuCalibration(
        rateInHertz: 1000, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6, accelerometerNoiseDensity: 1e-3,
        accelerometerRandomWalk: 1e-5)

    private static func vector(_ random: inout TestRandom, _ size: Double) -> Vector3 {
        Vector3(random.uniform(-size...size), random.uniform(-size...size), random.uniform(-size...size))
    }

    private static func pose(_ random: inout TestRandom) -> RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: vector(&random, 2)), translation: vector(&random, 3))
    }
}

extension RigidTransform {
    /// The true pose when this one has an error: R = Exp(θ) R̂, p = Exp(θ) p̂ + ρ.
    fileprivate func erring(turn: Vector3 = .zero, shift: Vector3 = .zero) -> RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: turn), translation: shift) * self
    }
}
