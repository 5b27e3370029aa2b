// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a long run found so far, a line of JSON each, so that it may go on after it was ended. The first line says of what run
/// it is: another database, configuration or program does not go on with it.
final class Ledger<Entry: Codable> {
    private(set) var entries: [Entry] = []
    private let output: FileHandle

    /// Opens the ledger of a run, or begins it. A last line that was not written to its end is cut off.
    init(at file: URL, run: [String: String]) throws {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        output = try FileHandle(forUpdating: file)
        let bytes = try output.readToEnd() ?? Data()
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        try output.truncate(atOffset: UInt64(end))
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first else {
            try write(run)
            return
        }
        guard let found = try? JSONDecoder().decode([String: String].self, from: first) else {
            refuse("\(file.path):1: does not say of what run the ledger is; give another name")
        }
        for key in Set(run.keys).union(found.keys).sorted() where run[key] != found[key] {
            refuse(
                "\(file.path):1: the ledger is of another run: its \(key) is \(found[key] ?? "not said"), and now "
                    + "\(run[key] ?? "not said"); give another name")
        }
        for (number, line) in lines.enumerated().dropFirst() {
            guard let entry = try? JSONDecoder().decode(Entry.self, from: line) else {
                refuse("\(file.path):\(number + 1): is no line of this ledger; give another name")
            }
            entries.append(entry)
        }
    }

    func append(_ entry: Entry) throws {
        try write(entry)
        entries.append(entry)
    }

    private func write(_ line: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try output.write(contentsOf: encoder.encode(line) + Data("\n".utf8))
    }

    /// 64 bits of FNV-1a over a file's bytes.
    static func checksum(of file: URL) throws -> String {
        let hash = try Data(contentsOf: file, options: .alwaysMapped).withUnsafeBytes { bytes in
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }
}
