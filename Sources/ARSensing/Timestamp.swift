// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// An instant on the session's clock, in whole nanoseconds.
///
/// Integers, because stamps are compared for equality and sorted: seconds exist only as a local beside a formula.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Nanoseconds since the clock's origin, which may be any instant.
    public var nanoseconds: Int64

    /// The instant that many nanoseconds after the clock's origin.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The nanoseconds from `earlier` to this instant; negative when it is later.
    @inlinable public func nanoseconds(since earlier: Timestamp) -> Int64 { nanoseconds - earlier.nanoseconds }

    /// The seconds from `earlier` to this instant; exact to the nanosecond for spans under 100 days.
    @inlinable public func seconds(since earlier: Timestamp) -> Double { Double(nanoseconds(since: earlier)) * 1e-9 }

    /// The instant `nanoseconds` later.
    @inlinable public func advanced(byNanoseconds nanoseconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: self.nanoseconds + nanoseconds)
    }

    /// The nanoseconds, as they stand in files.
    public var description: String { "\(nanoseconds)" }
}
