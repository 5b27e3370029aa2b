// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARSensing
import TestSupport
import Testing

@Suite struct FaultedSourceTests {
    private let source = GeneratedSource()

    @Test func withoutFaultsNothingChanges() throws {
        let faulted = try FaultedSource(source, faults: [])
        let (outcome, clean) = (try Outcome(faulted), try Outcome(source))
        #expect(outcome.events == clean.events && outcome.truths == clean.truths)
        #expect(faulted.rig == source.rig && faulted.longestDelayNanoseconds == nil)
    }

    @Test(arguments: Fault.examples) func theSameSeedGivesTheSameEvents(_ text: String) throws {
        let fault = try Fault.yaml(text)
        let faulted = try source.with(fault, seed: 5)
        let (one, two) = (try Outcome(faulted), try Outcome(source.with(fault, seed: 5)))
        #expect(one.events == two.events)
        #expect(one.truths == two.truths)
        // The manifest alone gives them, too, whatever the seed of the list.
        #expect(try Outcome(FaultedSource(source, faults: faulted.faults, seed: 6)).events == one.events)
    }

    @Test func otherSeedsAndPlacesGiveOtherEvents() throws {
        let fault = try Fault.yaml("dropped_samples: {probability: 0.5}")
        let outcomes = try [
            Outcome(source.with(fault, seed: 1)), Outcome(source.with(fault, seed: 2)),
            Outcome(FaultedSource(source, faults: [fault], seed: 1, earlierFaults: 1)),
        ]
        for (index, outcome) in outcomes.enumerated() {
            for other in outcomes[..<index] { #expect(outcome.sampleTimes != other.sampleTimes) }
        }
        // Twice the same fault is not the fault itself: a quarter is left, not a half.
        let twice = try Outcome(source.with(fault, fault, seed: 1))
        #expect(abs(twice.samples.count - 75) < 31)
    }

    @Test func theOrderOfTheListCounts() throws {
        let (trim, freeze) = (
            try Fault.yaml("trim: {from_s: 1}"), try Fault.yaml("frozen_frames: {from_s: 1, to_s: 2}")
        )
        // Frozen after the trim, the first picture is that of 1 s; before it, that of 0.9 s.
        #expect(try Outcome(source.with(trim, freeze)).frames[5].image == source.frame(10).image)
        #expect(try Outcome(source.with(freeze, trim)).frames[5].image == source.frame(9).image)
        let (dark, flash) = (try Fault.yaml("darkness: {light: 0, noise: 0}"), try Fault.yaml("flash: {lift: 0.5}"))
        #expect(try Outcome(source.with(dark, flash)).frames[0].image.bytes[0] == 128)
        #expect(try Outcome(source.with(flash, dark)).frames[0].image.bytes[0] == 0)
    }

    @Test func anEventAndItsDoubleShareTheirFate() throws {
        let outcome = try Outcome(
            source.with(
                .yaml("doubled: {sensor: both, delay_s: 0.2}"),
                .yaml("noise_burst: {picture: 0.1, specific_force_m_per_s2: 1}"),
                .yaml("stamp_jitter: {sensor: both, standard_deviation_s: 0.01}"),
                .yaml("dropped_frames: {probability: 0.3}")))
        let pictures = Dictionary(grouping: outcome.frames, by: \.timestamp)
        #expect(pictures.count > 10)
        for copies in pictures.values { #expect(copies.count == 2 && copies[0] == copies[1]) }
    }

    @Test(arguments: Fault.examples) func noEventComesLaterThanIsSaid(_ text: String) throws {
        let faulted = try source.with(.yaml(text))
        var clock = Timestamp(nanoseconds: .min)
        for event in try Outcome(faulted).events {
            clock = max(clock, event.timestamp)
            #expect(clock.nanoseconds(since: event.timestamp) <= faulted.longestDelayNanoseconds ?? 0)
        }
    }

    /// On a clock that goes ten times as slowly, stamps are wrong by ten times as much.
    @Test func errorsOfStampsAreOnTheFinalClock() throws {
        let (wrong, slow) = (
            try Fault.yaml("camera_imu_offset: {offset_s: 0.05}"), try Fault.yaml("retime: {speed: 0.1, imu: drop}")
        )
        #expect(try source.with(wrong, slow).longestStampErrorNanoseconds == 500_000_000)
        #expect(try source.with(slow, wrong).longestStampErrorNanoseconds == 50_000_000)
        #expect(try source.with(wrong, wrong).longestStampErrorNanoseconds == 100_000_000)
    }

    /// What was on its way when the app went away comes when the app is back, not when the closed gap has passed.
    @Test func whatIsOnItsWayComesAfterAClosedGap() throws {
        let events = try Outcome(
            source.with(
                .yaml("late: {sensor: camera, from_s: 0.8, to_s: 0.85, delay_s: 0.25}"),
                .yaml("interruption: {from_s: 0.9, to_s: 1, closes_gap: true}"))
        ).events
        let late = try #require(
            events.firstIndex { $0.stream == .camera && $0.timestamp == GeneratedSource.timestamp(0.8) })
        let before = try #require(events[..<late].last { $0.stream == .imu }).timestamp
        // It arrives at 1.05 s, which is 0.95 s on the clock without the gap.
        #expect(before == GeneratedSource.timestamp(0.95))
    }

    @Test(arguments: Fault.examples) func theStampsOfFramesAreKnownWithoutThem(_ text: String) throws {
        let faulted = try source.with(.yaml(text), .yaml("late: {sensor: camera, probability: 0.5, delay_s: 0.12}"))
        var stamps = try faulted.makeFrameStamps()
        for frame in try Outcome(faulted).frames { #expect(try stamps.next() == frame.timestamp) }
        #expect(try stamps.next() == nil)
    }

    @Test func countsSayWhatWasDone() throws {
        var stream = try source.with(
            .yaml("dropped_frames: {from_s: 1, to_s: 2}"), .yaml("saturation: {angular_velocity_rad_per_s: 1.995}"),
            .yaml("interruption: {from_s: 2, to_s: 2.5}")
        ).makeFaultedStream()
        while try stream.next() != nil {}
        #expect(stream.counts[0].frames.dropped == 10)
        #expect(stream.counts[1].samples.changed == 300)
        #expect(stream.counts[2].frames.dropped == 5 && stream.counts[2].userEvents.added == 2)
        #expect(stream.counts[2].samples.dropped == 50)
        #expect(stream.framesTaken == 30)
    }
}
