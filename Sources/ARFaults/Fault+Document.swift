// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles

extension Fault {
    /// The longest session, in seconds: a day.
    static let times = 0.0...86_400

    /// Reads a fault: a record whose one key is the kind's name and whose value is a record of its parameters, such as
    /// `dropped_frames: {from_s: 2, to_s: 4, probability: 0.3}`. No value at all leaves every default,
    /// where these say what is to happen.
    public init(_ node: DocumentNode) throws(DocumentError) {
        let entries = try node.entries()
        guard entries.count == 1, let (name, value) = entries.first else {
            throw node.error(expected: "a record of one key, the fault's name")
        }
        guard let kind = Kind.all.first(where: { $0.name == name }) else {
            throw DocumentError(
                file: node.file, line: node.line, column: node.column, found: "the fault \"\(name)\"",
                expected: "one of " + Self.names.joined(separator: ", "))
        }
        var fields = FaultFields(reading: value)
        var parameters = kind.init()
        self.init(parameters.kind)
        try visit(&fields, &parameters)
        try fields.checkUnknownKeys()
        try fields.check(hasOneOf: type(of: parameters).decisiveKeys)
        if let to = range.toSeconds, to <= range.fromSeconds {
            throw (try value.value("to_s") ?? value).error(expected: "a time after from_s")
        }
    }

    /// Reads a list of faults, or a record whose key `faults` has one.
    public static func list(_ node: DocumentNode) throws(DocumentError) -> [Fault] {
        var list = node
        if case .record = node.content {
            try node.check(keys: ["faults"])
            list = try node.required("faults")
        }
        var faults: [Fault] = []
        for item in try list.items() { faults.append(try Fault(item)) }
        return faults
    }

    /// The fault as JSON, with every parameter. Law: `FaultDocumentTests.everyFaultIsReadBack`.
    public var json: JSONValue {
        var fields = FaultFields()
        var copy = self
        var parameters = kind.parameters
        do { try copy.visit(&fields, &parameters) } catch {
            preconditionFailure("writing reads nothing, and so cannot fail: \(error)")
        }
        return .record([name: .record(fields.written)])
    }

    private mutating func visit(
        _ fields: inout FaultFields, _ parameters: inout any FaultParameters
    ) throws(DocumentError) {
        let span = type(of: parameters).span
        if span != .whole {
            try fields.number("from_s", &range.fromSeconds, in: Self.times)
            try fields.optionalNumber("to_s", &range.toSeconds, in: Self.times, isRequired: span == .bounded)
        }
        try parameters.visit(&fields)
        kind = parameters.kind
        if type(of: parameters).isRandom { try fields.seed("seed", &seed) }
    }
}
