// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// Room for a number of values that lives as long as the process, filled before any measurement.
struct Batch<Value> {
    let values: UnsafeMutableBufferPointer<Value>

    /// Room whose values come from `make`, one after the other.
    init(count: Int, _ make: () -> Value) {
        // Both sides get memory that begins at a cache line.
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: count * MemoryLayout<Value>.stride, alignment: 64)
        values = bytes.bindMemory(to: Value.self)
        for index in 0..<count { values.initializeElement(at: index, to: make()) }
    }

    var count: Int { values.count }

    /// The values as the doubles that they consist of.
    var doubles: UnsafeMutablePointer<Double> {
        UnsafeMutableRawPointer(values.baseAddress!).assumingMemoryBound(to: Double.self)
    }

    /// The values that `transform` makes of these.
    func mapped<Other>(_ transform: (Value) -> Other) -> Batch<Other> {
        var index = 0
        return Batch<Other>(count: count) {
            defer { index += 1 }
            return transform(values[index])
        }
    }

    /// The largest difference between the first `doublesCompared` doubles of each value and those of the other batch's.
    func largestDifference(from other: Batch, comparing doublesCompared: Int) -> Double {
        let doublesPerValue = MemoryLayout<Value>.stride / MemoryLayout<Double>.stride
        var largest = 0.0
        for start in stride(from: 0, to: count * doublesPerValue, by: doublesPerValue) {
            for index in start..<start + doublesCompared {
                let difference = abs(doubles[index] - other.doubles[index]) / max(1, abs(other.doubles[index]))
                if !(difference <= largest) { largest = difference }
            }
        }
        return largest
    }
}

/// A point of 24 bytes: how Eigen's users keep them.
struct PackedPoint {
    var x, y, z: Double

    init(_ point: Point3) { (x, y, z) = (point.x, point.y, point.z) }
}

/// Runs `pass`, which handles `size` items, until `total` items are handled.
@inline(__always) func repeatedly(_ size: Int, total: Int, _ pass: () -> Void) {
    for _ in 0..<(total / size) { pass() }
}

/// Stops when a rival did not do its work: a time of zero would be a lie.
@inline(__always) func expectSuccess(_ status: CSolveStatus) {
    precondition(status == CSOLVE_OK, String(cString: csolve_status_message(status)))
}
