// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import TestSupport
import Testing

/// Every fault does what its name says, in its range and nowhere else.
@Suite struct FaultEffectTests {
    private let source = GeneratedSource()

    private func outcome(_ fault: String, seed: UInt64 = 1) throws -> Outcome {
        try Outcome(source.with(.yaml(fault), seed: seed))
    }

    /// The pictures with faults beside those without, for the frames inside a range and outside.
    private func pictures(_ fault: String, from: Double, to: Double) throws -> [(
        clean: ImageBuffer, faulted: ImageBuffer
    )] {
        let clean = try Outcome(source)
        let faulted = try outcome(fault)
        #expect(faulted.frames.map(\.timestamp) == clean.frames.map(\.timestamp))
        #expect(faulted.samples == clean.samples)
        #expect(faulted.truths == clean.truths)
        var inside: [(ImageBuffer, ImageBuffer)] = []
        for (clean, faulted) in zip(clean.frames, faulted.frames) {
            let seconds = GeneratedSource.seconds(clean.timestamp)
            if seconds >= from, seconds < to {
                inside.append((clean.image, faulted.image))
            } else {
                #expect(clean == faulted, "the frame at \(seconds) s lies outside the range")
            }
        }
        #expect(inside.count == Int(((to - from) * 10).rounded()))
        return inside
    }

    // MARK: Pictures

    @Test func aCoveredLensShowsNothing() throws {
        for pair in try pictures("covered_lens: {from_s: 1, to_s: 2, level: 0.1, noise: 0}", from: 1, to: 2) {
            let (red, blue) = (pair.faulted.bytes[0], pair.faulted.bytes[2])
            #expect(red == 26 && blue < red)
            for index in pair.faulted.bytes.indices {
                #expect(pair.faulted.bytes[index] == pair.faulted.bytes[index % 3])
            }
        }
        // Half of the picture, from below.
        for pair in try pictures("covered_lens: {from_s: 1, to_s: 2, fraction: 0.5}", from: 1, to: 2) {
            #expect(pair.faulted.bytes.prefix(32 * 3 * 6) == pair.clean.bytes.prefix(32 * 3 * 6))
            #expect(
                deviation(
                    of: pair.faulted.bytes.suffix(32 * 3 * 6).enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
                    < 5)
        }
    }

    @Test func darknessDimsAndItsNoiseGrows() throws {
        for pair in try pictures("darkness: {from_s: 1, to_s: 2, light: 0.5, noise: 0}", from: 1, to: 2) {
            for (clean, dark) in zip(pair.clean.bytes, pair.faulted.bytes) {
                #expect(abs(Double(clean) / 2 - Double(dark)) <= 0.5)
            }
        }
        for pair in try pictures("darkness: {from_s: 1, to_s: 2, light: 0.5, noise: 0.04}", from: 1, to: 2) {
            let noise = zip(pair.clean.bytes, pair.faulted.bytes).map { Double($1) - Double($0) / 2 }
            let mean = noise.reduce(0, +) / Double(noise.count)
            let variance = noise.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(noise.count)
            // 2304 values of deviation 10.2: the mean is known to 0.21, the deviation to 0.15; four times that.
            #expect(abs(mean) < 0.9)
            #expect(abs(variance.squareRoot() - 10.2) < 0.7)
        }
    }

    @Test func aFlashWhitens() throws {
        for pair in try pictures("flash: {from_s: 1, to_s: 1.2, gain: 2, lift: 0.2}", from: 1, to: 1.2) {
            for (clean, lit) in zip(pair.clean.bytes, pair.faulted.bytes) {
                #expect(lit == UInt8(min(255, (Double(clean) * 2 + 51).rounded())))
            }
        }
    }

    @Test func blursKeepTheMeanAndLoseDetail() throws {
        let directions = [("directional", 0.0), ("directional", 1.5707963), ("defocus", 0)]
        for (shape, direction) in directions {
            let fault = "blur_burst: {from_s: 1, to_s: 2, shape: \(shape), size_px: 8, direction_rad: \(direction)}"
            for pair in try pictures(fault, from: 1, to: 2) {
                #expect(abs(mean(pair.faulted.bytes) - mean(pair.clean.bytes)) < 8)
                #expect(deviation(of: pair.faulted.bytes) < 0.7 * deviation(of: pair.clean.bytes))
            }
        }
    }

    @Test func aBlurSpreadsAPointAlongItsLine() throws {
        struct Point: SensorSource, TruthSource {
            let rig = GeneratedSource(size: ImageSize(width: 21, height: 21)).rig
            let expectedFrameCount: Int? = 1
            let declaredPlanes: [DeclaredPlane] = []
            func makeTruthStream() -> any TruthStream { GeneratedSource().makeTruthStream() }
            func makeStream() -> any SensorStream { One() }
            struct One: SensorStream {
                var isDone = false
                mutating func next() -> SensorEvent? {
                    guard !isDone else { return nil }
                    isDone = true
                    var image = ImageBuffer(size: ImageSize(width: 21, height: 21), format: .gray8)
                    image.bytes[10 * 21 + 10] = 255
                    return .frame(CameraFrame(timestamp: GeneratedSource.start, image: image))
                }
            }
        }
        let fault = try Fault.yaml("blur_burst: {size_px: 8, direction_rad: 0.7853981633974483}")
        let image = try Outcome(FaultedSource(Point(), faults: [fault])).frames[0].image
        // Down and to the right as far as up and to the left, and nowhere else.
        for offset in -2...2 { #expect(image.bytes[(10 + offset) * 21 + 10 + offset] > 10) }
        #expect(image.bytes[8 * 21 + 12] == 0 && image.bytes[12 * 21 + 8] == 0)
        #expect(image.bytes[10 * 21 + 16] == 0 && image.bytes[16 * 21 + 16] == 0)
    }

    /// Pictures that grow brighter to the right and downwards show how far they are moved: each by itself, as normal numbers of the
    /// deviation that is said are, and by parts of a pixel, too.
    @Test func aLensShakesAsFarAsItSays() throws {
        let said = 0.8
        let fault = try Fault.yaml("lens_shake: {standard_deviation_px: \(said)}")
        let ways = try Outcome(FaultedSource(Ramp(), faults: [fault])).frames.map { frame in
            let darker = [(24, 24), (20, 30), (29, 18)].map { column, row in
                Double(Ramp.value(column, row) - Int(frame.image.bytes[48 * row + column]))
            }
            // All is moved alike, but for the rounding to whole steps.
            #expect(darker.max()! - darker.min()! <= 1)
            return darker.reduce(0, +) / 3
        }
        // By x along columns and y along rows, it is darker by 3 x + y: √10 deviations. 400 such numbers tell theirs to 3.5 %.
        let seen = deviation(of: ways) / 10.0.squareRoot()
        #expect(abs(seen / said - 1) < 0.11, "\(seen)")
        let together = zip(ways, ways.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / 399
        #expect(abs(together) < 3 / 20.0 * 10 * said * said, "\(together)")
    }

    /// A lens that focuses on something else is on its way for as long as is said, there and back, and stays there; what it shows grows by so much
    /// about the principal point.
    @Test(arguments: [4.0, -3]) func aLensFocusesAsFarAsItSays(percent: Double) throws {
        let fault = try Fault.yaml("refocus: {from_s: 1, to_s: 4, percent: \(percent), way_s: 0.5}")
        let center = Ramp().rig.camera.camera.intrinsics
        for frame in try Outcome(FaultedSource(Ramp(), faults: [fault])).frames.prefix(150) {
            // The session begins with its first frame.
            let seconds = frame.timestamp.seconds(since: GeneratedSource.start) - 0.033
            let share = max(0, min(1, (seconds - 1) / 0.5, (4 - seconds) / 0.5))
            let factor = 1 + share * percent / 100
            for (column, row) in [(8, 10), (24, 24), (40, 30), (12, 41)] {
                let (x, y) = (Double(column) - center.cx, Double(row) - center.cy)
                let expected = 20 + 3 * (center.cx + x / factor) + center.cy + y / factor
                #expect(abs(Double(frame.image.bytes[48 * row + column]) - expected) < 0.51, "\(seconds) s")
            }
        }
    }

    @Test func frozenPicturesStayAndStampsGoOn() throws {
        let before = source.frame(9).image
        for pair in try pictures("frozen_frames: {from_s: 1, to_s: 2}", from: 1, to: 2) {
            #expect(pair.faulted == before)
        }
        // From the start, the first picture stays.
        let first = try outcome("frozen_frames: {to_s: 1}").frames
        #expect(first.prefix(10).allSatisfy { $0.image == source.frame(0).image })
        #expect(first[10] == source.frame(10))
    }

    @Test func aNoiseBurstIsAsStrongAsItSays() throws {
        let fault = "noise_burst: {picture: 0.02, angular_velocity_rad_per_s: 0.2, specific_force_m_per_s2: 3}"
        let (clean, noisy) = (try Outcome(source), try outcome(fault))
        let pixels = zip(clean.frames, noisy.frames).flatMap {
            zip($0.image.bytes, $1.image.bytes).map { Double($1) - Double($0) }
        }
        let gyroscope = zip(clean.samples, noisy.samples).flatMap { ($1.angularVelocity - $0.angularVelocity).numbers }
        let force = zip(clean.samples, noisy.samples).flatMap { ($1.specificForce - $0.specificForce).numbers }
        // 69,000 and 900 values: deviations known to 0.3 % and 2.4 %; four times that, and the steps of a byte.
        #expect(abs(deviation(of: pixels) - 5.1) < 0.1)
        #expect(abs(deviation(of: gyroscope) - 0.2) < 0.02)
        #expect(abs(deviation(of: force) - 3) < 0.3)
    }

    // MARK: Missing events

    @Test func droppedFramesAreMissing() throws {
        let dropped = try outcome("dropped_frames: {from_s: 1, to_s: 2}")
        #expect(dropped.frameTimes.filter { $0 >= 1 && $0 < 2 }.isEmpty)
        #expect(dropped.frames.count == 20)
        #expect(dropped.samples.count == 300)
        #expect(dropped.truths.map(\.?.timestamp) == dropped.frames.map(\.timestamp))
        let some = try Outcome(GeneratedSource(seconds: 100).with(.yaml("dropped_frames: {probability: 0.3}")))
        // 1000 frames: the count is known to 14.5; four times that.
        #expect(abs(some.frames.count - 700) < 58)
    }

    @Test func droppedSamplesAreMissing() throws {
        let some = try Outcome(GeneratedSource(seconds: 20).with(.yaml("dropped_samples: {probability: 0.3}")))
        #expect(some.frames.count == 200)
        #expect(abs(some.samples.count - 1400) < 82)
    }

    @Test func anImuGapIsEmpty() throws {
        let gap = try outcome("imu_gap: {from_s: 1, to_s: 1.5}")
        #expect(gap.samples.count == 250)
        #expect(!gap.sampleTimes.contains { $0 >= 1 && $0 < 1.5 })
        #expect(gap.sampleTimes.contains(0.99) && gap.sampleTimes.contains(1.5))
    }

    @Test func saturatedSamplesStayBelowTheLimit() throws {
        let clipped = try outcome(
            "saturation: {from_s: 1, angular_velocity_rad_per_s: 1.5, specific_force_m_per_s2: 5}")
        for sample in clipped.samples {
            let seconds = GeneratedSource.seconds(sample.timestamp)
            let expected =
                seconds < 1
                ? (Vector3(seconds, 0.5, -2), Vector3(0, 9.81, seconds))
                : (Vector3(min(seconds, 1.5), 0.5, -1.5), Vector3(0, 5, seconds))
            #expect(sample.angularVelocity == expected.0 && sample.specificForce == expected.1)
        }
    }

    // MARK: Order

    @Test func doubledEventsComeTwice() throws {
        let doubled = try outcome("doubled: {sensor: imu, from_s: 1, to_s: 2}")
        #expect(doubled.samples.count == 400)
        #expect(doubled.frames.count == 30)
        for (sample, next) in zip(doubled.samples, doubled.samples.dropFirst()) where sample.timestamp == next.timestamp
        {
            #expect(sample == next)
        }
        let later = try outcome("doubled: {sensor: camera, delay_s: 0.15}")
        #expect(Array(later.frameTimes.prefix(7)) == [0, 0.1, 0, 0.2, 0.1, 0.3, 0.2])
        #expect(later.truths.map(\.?.worldFromCamera.translation.x) == later.frameTimes)
    }

    @Test func lateEventsComeAfterWhatHappenedSince() throws {
        let late = try outcome("late: {sensor: camera, from_s: 1, to_s: 2, delay_s: 0.25}")
        #expect(late.frames.count == 30)
        #expect(Set(late.frameTimes).count == 30)
        let index = try #require(late.events.firstIndex(of: .frame(source.frame(10))))
        // What came last before the frame of 1 s is the sample of 1.25 s; what comes next, that of 1.26 s.
        #expect(late.events[index - 1] == .imu(source.sample(125)))
        #expect(late.events[index + 1] == .imu(source.sample(126)))
        #expect(late.truths.map(\.?.worldFromCamera.translation.x) == late.frameTimes)
    }

    @Test func reorderedSamplesAreTheSameInAnotherOrder() throws {
        let shuffled = try outcome("reordered: {sensor: imu, from_s: 1, to_s: 2, group: 5}")
        let clean = try Outcome(source)
        #expect(shuffled.samples != clean.samples)
        #expect(shuffled.samples.sorted { $0.timestamp < $1.timestamp } == clean.samples)
        for (index, sample) in shuffled.samples.enumerated() {
            // Within groups of five from the range's first sample on.
            let place = clean.samples.firstIndex(of: sample)!
            #expect((100..<200).contains(index) ? place / 5 == index / 5 : place == index)
        }
        // Nothing comes before it happened: a frame is never behind a sample that is not there yet.
        var clock = Timestamp(nanoseconds: 0)
        for event in shuffled.events {
            if event.stream == .camera { #expect(event.timestamp >= clock) }
            clock = max(clock, event.timestamp)
        }
    }

    // MARK: Stamps

    @Test func jitteredStampsAreOffAndTheTruthFollowsTheFrame() throws {
        let jittered = try Outcome(
            GeneratedSource(seconds: 100).with(.yaml("stamp_jitter: {sensor: camera, standard_deviation_s: 0.005}")))
        #expect(jittered.frames.count == 1000)
        var errors: [Double] = []
        for (frame, truth) in zip(jittered.frames, jittered.truths) {
            let truth = try #require(truth)
            #expect(truth.timestamp == frame.timestamp)
            let taken = truth.worldFromCamera.translation.x
            #expect(frame.image == source.frame(Int((taken * 10).rounded())).image)
            errors.append(GeneratedSource.seconds(frame.timestamp) - taken)
        }
        #expect(abs(deviation(of: errors) - 0.005) < 0.0005)
        #expect(errors.allSatisfy { abs($0) < 0.0151 })
        let stamps = jittered.events.map(\.timestamp)
        #expect(stamps == stamps.sorted())
    }

    @Test func anOffsetOfTheCameraIsUnknownToItsCalibration() throws {
        for offset in [0.033, -0.2] {
            let faulted = try source.with(.yaml("camera_imu_offset: {offset_s: \(offset)}"))
            var rig = source.rig
            #expect(rig.camera.uncertainty.timeOffsetSeconds != nil)
            rig.camera.uncertainty.timeOffsetSeconds = nil
            #expect(faulted.rig == rig)
            let shifted = try Outcome(faulted)
            for (index, (time, truth)) in zip(shifted.frameTimes, shifted.truths).enumerated() {
                #expect(abs(time - Double(index) / 10 - offset) < 1e-9)
                #expect(truth?.worldFromCamera.translation.x == Double(index) / 10)
            }
            #expect(shifted.frames.map(\.image) == (0..<30).map { source.frame($0).image })
            let stamps = shifted.events.map(\.timestamp)
            #expect(stamps == stamps.sorted())
        }
    }

    /// Samples keep their stamps and have what each sensor read before: where there was a sample, and between two. Whatever vouched for the
    /// clocks does no more.
    @Test func laggingSensorsTellWhatWasBefore() throws {
        let faulted = try source.with(
            .yaml("sensor_lag: {from_s: 1, to_s: 2, gyroscope_s: 0.03, accelerometer_s: 0.045}"))
        let (lagging, clean) = (try Outcome(faulted), try Outcome(source))
        #expect(lagging.frames == clean.frames && lagging.truths == clean.truths)
        #expect(lagging.samples.map(\.timestamp) == clean.samples.map(\.timestamp))
        for (index, (sample, before)) in zip(lagging.samples, clean.samples).enumerated() {
            guard (100..<200).contains(index) else {
                #expect(sample == before)
                continue
            }
            #expect(sample.angularVelocity == source.sample(index - 3).angularVelocity)
            expectClose(sample.specificForce, [0, 9.81, Double(index) / 100 - 0.045], tolerance: 1e-12)
        }
        var rig = source.rig
        rig.camera.uncertainty.timeOffsetSeconds = nil
        rig.imu?.uncertainty.accelerometerLagSeconds = nil
        #expect(faulted.rig == rig && faulted.rig != source.rig)
        #expect(try source.with(.yaml("sensor_lag: {accelerometer_s: 0}")).rig == source.rig)
        // From the beginning on, the first sample lasts.
        let first = try outcome("sensor_lag: {accelerometer_s: 0.02}").samples
        #expect(first.prefix(3).map(\.specificForce) == Array(repeating: source.sample(0).specificForce, count: 3))
        #expect(first[3].specificForce == source.sample(1).specificForce)
    }

    // MARK: The device

    @Test func aWrongCalibrationChangesTheRigAlone() throws {
        let faulted = try source.with(
            .yaml(
                "wrong_calibration: {focal_percent: 10, principal_point_px: [1, -2], rotation_rad: [0, 0.1, 0], "
                    + "translation_m: [0, 0, 0.5], distortion: [0.1, 0, 0, 0, 0.2]}"))
        let (rig, clean) = (faulted.rig.camera, source.rig.camera)
        expectClose(rig.camera.intrinsics.fx, 33, tolerance: 1e-12)
        expectClose(rig.camera.intrinsics.fy, 34.1, tolerance: 1e-12)
        #expect(rig.camera.intrinsics.cx == 16.5 && rig.camera.intrinsics.cy == 9.5)
        #expect(rig.camera.distortion == [0, 0.01, 1e-4, -1e-5, 0.2])
        let error = clean.imuFromOptical.inverse * rig.imuFromOptical
        expectClose(error.rotation, Rotation(rotationVector: [0, 0.1, 0]), tolerance: 1e-12)
        expectClose(rig.imuFromOptical.translation, clean.imuFromOptical.translation + [0, 0, 0.5], tolerance: 1e-15)
        var uncertainty = CameraCalibration.Uncertainty()
        uncertainty.readoutSeconds = clean.uncertainty.readoutSeconds
        #expect(rig.uncertainty == uncertainty && clean.uncertainty != rig.uncertainty)
        let (events, truths) = (try Outcome(faulted), try Outcome(source))
        #expect(events.events == truths.events && events.truths == truths.truths)
        // Who compares with the truth is told of the camera that took the pictures, also where faults follow each other.
        var camera = clean
        camera.uncertainty = CameraCalibration.Uncertainty()
        #expect(try source.sessionTruth().camera == nil && faulted.sessionTruth().camera == camera)
        #expect(try faulted.trueCamera() == camera && source.trueCamera() == clean)
        let again = try FaultedSource(faulted, faults: [.yaml("wrong_calibration: {focal_percent: -5}")])
        #expect(try again.trueCamera() == camera)
        #expect(throws: FaultError.self) { try source.with(.yaml("wrong_calibration: {principal_point_px: [100, 0]}")) }
    }

    // MARK: Time

    @Test func anInterruptionLeavesNothingButItsEvents() throws {
        let away = try outcome("interruption: {from_s: 1, to_s: 2}")
        #expect(!away.events.contains { (1..<2).contains(GeneratedSource.seconds($0.timestamp)) && $0.stream != .user })
        #expect(away.userEvents.map(\.action) == [.penDown, .interruptionBegan, .interruptionEnded, .penUp])
        #expect(away.userEvents.map { GeneratedSource.seconds($0.timestamp) } == [0.5, 1, 2, 2.5])
        // Elsewhere: the device has moved on while the app was away.
        let steps = zip(away.truths.dropFirst(), away.truths).map {
            $0!.worldFromCamera.translation.x - $1!.worldFromCamera.translation.x
        }
        expectClose(steps.max() ?? 0, 1.1, tolerance: 1e-9)

        let closed = try outcome("interruption: {from_s: 1, to_s: 2, closes_gap: true}")
        #expect(closed.frameTimes == (0..<20).map { Double($0) / 10 })
        #expect(closed.frames[10].image == source.frame(20).image)
        #expect(closed.truths[10]?.worldFromCamera.translation.x == 2)
        let strokes = try source.with(.yaml("interruption: {from_s: 1, to_s: 2, closes_gap: true}")).sessionTruth()
            .strokes
        #expect(strokes.map { GeneratedSource.seconds($0.end) } == [1.5])
    }

    @Test func trimKeepsARange() throws {
        let piece = try outcome("trim: {from_s: 1, to_s: 2}")
        #expect(piece.frameTimes == (10..<20).map { Double($0) / 10 })
        #expect(piece.samples.count == 100)
        #expect(piece.userEvents.count == 1)
        #expect(piece.truths.map(\.?.worldFromCamera.translation.x) == piece.frameTimes)
    }

    @Test func retimingScalesTimeAndRates() throws {
        let fast = try source.with(.yaml("retime: {speed: 2, imu: approximate}"))
        let outcome = try Outcome(fast)
        #expect(outcome.frameTimes == (0..<30).map { Double($0) / 20 })
        #expect(fast.rig.camera.rateInHertz == 20 && fast.rig.imu?.rateInHertz == 200)
        #expect(fast.rig.camera.uncertainty.readoutSeconds == 0.00015)
        for (sample, clean) in zip(outcome.samples, try Outcome(source).samples) {
            #expect(sample.angularVelocity == clean.angularVelocity * 2 && sample.specificForce == clean.specificForce)
        }
        for (index, truth) in outcome.truths.enumerated() {
            #expect(truth?.worldFromCamera.translation.x == Double(index) / 10)
            #expect(truth?.inertia?.velocityInWorld == [2, 0, 0])
        }
        #expect(throws: FaultError.retimedImu) { try source.with(.yaml("retime: {speed: 2}")) }
        let without = try source.with(.yaml("retime: {speed: 2, imu: drop}"))
        #expect(try Outcome(without).samples.isEmpty && without.rig.imu == nil)
        let camera = GeneratedSource(hasImu: false)
        #expect(try Outcome(camera.with(.yaml("retime: {speed: 0.5}"))).frameTimes == (0..<30).map { Double($0) / 5 })
    }
}

private func mean(_ values: [UInt8]) -> Double { values.reduce(0) { $0 + Double($1) } / Double(values.count) }

private func deviation(of values: [UInt8]) -> Double { deviation(of: values.map(Double.init)) }

private func deviation(of values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
}

extension Vector3 {
    fileprivate var numbers: [Double] { [x, y, z] }
}

/// Pictures that grow brighter to the right and downwards: what becomes of them tells how far they are moved.
private struct Ramp: SensorSource, TruthSource {
    static let size = ImageSize(width: 48, height: 48)
    let rig = GeneratedSource(size: size).rig
    let expectedFrameCount: Int? = 400
    let declaredPlanes: [DeclaredPlane] = []
    func makeTruthStream() -> any TruthStream { GeneratedSource().makeTruthStream() }
    func makeStream() -> any SensorStream { Stream() }
    static func value(_ column: Int, _ row: Int) -> Int { 20 + 3 * column + row }
    struct Stream: SensorStream {
        var count = 0
        mutating func next() -> SensorEvent? {
            guard count < 400 else { return nil }
            var image = ImageBuffer(size: Ramp.size, format: .gray8)
            for row in 0..<48 {
                for column in 0..<48 { image.bytes[48 * row + column] = UInt8(Ramp.value(column, row)) }
            }
            count += 1
            let stamp = GeneratedSource.start.advanced(byNanoseconds: Int64(count) * 33_000_000)
            return .frame(CameraFrame(timestamp: stamp, image: image))
        }
    }
}
