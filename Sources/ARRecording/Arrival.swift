// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// An event that did not arrive in its turn: a row of `arrivals.csv`.
///
/// The tables of a recording hold every event once, in the order of the stamps. What came late or twice is listed beside
/// them: where it came, among the events that came in their turn.
struct Arrival: Hashable, Sendable {
    /// Why the event is listed.
    enum Kind: String, CaseIterable, Sendable {
        /// It did not come in its turn, but here.
        case late
        /// It came here once more.
        case again
    }

    /// Which table has the event, and its stamp there.
    struct Key: Hashable, Sendable {
        let stream: SensorEvent.Stream
        let timestamp: Timestamp
    }

    let key: Key
    let kind: Kind
    let place: Place

    /// A place among the events that came in their turn: after that many of those with the stamp `arrival`.
    struct Place: Hashable, Comparable, Sendable {
        let arrival: Timestamp
        let after: Int

        static func < (a: Place, b: Place) -> Bool { (a.arrival, a.after) < (b.arrival, b.after) }
    }

    static let header = "#stream,timestamp [ns],kind,arrival [ns],after"

    /// The row's text.
    var row: String {
        "\(key.stream == .imu ? "imu0" : "cam0"),\(key.timestamp),\(kind.rawValue),\(place.arrival),\(place.after)"
    }
}

extension Arrival {
    /// Reads a row.
    init(_ fields: CsvFields) throws(RecordingError) {
        func word<Value>(_ column: Int, _ words: [String: Value]) throws(RecordingError) -> Value {
            guard let value = words[fields.text(column)] else {
                throw RecordingError(
                    .malformedDocument, file: fields.file, line: fields.line, found: "\"\(fields.text(column))\"",
                    expected: words.keys.sorted().joined(separator: " or "))
            }
            return value
        }
        key = Key(
            stream: try word(0, ["imu0": SensorEvent.Stream.imu, "cam0": .camera]), timestamp: try fields.timestamp(1))
        kind = try word(2, ["late": Kind.late, "again": .again])
        place = Place(arrival: try fields.timestamp(3), after: Int(try fields.timestamp(4).nanoseconds))
    }
}

extension RecordingLayout {
    /// `arrivals.csv`, in the order of the arrivals.
    func arrivalTable(isComplete: Bool) throws(RecordingError) -> TimedTable<Arrival> {
        try TimedTable(
            url(Self.arrivals), name: Self.arrivals, allowsEqualStamps: true, dropsUnterminatedRow: !isComplete
        ) { line, file throws(RecordingError) in
            let arrival = try Arrival(CsvFields(line, file: file, columns: 5...5))
            return (arrival.place.arrival, arrival)
        }
    }
}
